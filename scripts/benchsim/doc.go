// Package benchsim measures the load figures of the engine on the simulated DynamoDB of
// pkg/table/sim: make bench-sim.
package benchsim
