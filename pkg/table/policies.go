package table

import (
	"math/rand/v2"
	"time"
)

// NoFaults is the policy of a Faulty that only counts calls.
func NoFaults(Call) Fault { return Fault{} }

// FaultAt returns a policy that gives the n-th call a fault.
func FaultAt(n int, kind FaultKind) func(Call) Fault {
	return func(c Call) Fault {
		if c.N == n {
			return Fault{Kind: kind}
		}
		return Fault{}
	}
}

// Latency returns a policy that delays every call.
func Latency(d time.Duration) func(Call) Fault {
	return func(Call) Fault { return Fault{Delay: d} }
}

// Rates are the probabilities of random faults, from 0 to 1.
type Rates struct {
	Conflict, Throttled, AnswerLost float64
	Delay                           time.Duration // maximum delay of each call
}

// RandomFaults returns a policy that depends only on the seed and the sequence of calls.
func RandomFaults(seed uint64, rates Rates) func(Call) Fault {
	random := rand.New(rand.NewPCG(seed, seed))
	return func(Call) Fault {
		fault := Fault{Delay: time.Duration(random.Float64() * float64(rates.Delay))}
		p := random.Float64()
		for _, kind := range []struct {
			rate float64
			kind FaultKind
		}{{rates.Conflict, Conflict}, {rates.Throttled, Throttled}, {rates.AnswerLost, AnswerLost}} {
			if p -= kind.rate; p < 0 {
				fault.Kind = kind.kind
				break
			}
		}
		return fault
	}
}
