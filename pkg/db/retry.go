package db

import "time"

const (
	FinishTries = 5
	FinishPause = 50 * time.Millisecond
)
