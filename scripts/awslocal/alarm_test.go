package main

// The alarms of a template, and which of them ring for recorded metrics, by the rules of CloudWatch.

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"headless/scripts/internal/template"
)

// point is one value of a metric.
type point struct {
	metric
	At    time.Duration // since the start of the recording
	Value float64
}

// metric names a metric. All alarms here have at most one dimension.
type metric struct {
	Namespace, Name, Dimension string // the dimension as Name=Value; "": none
}

// alarm is an AWS::CloudWatch::Alarm, which rings if enough of its latest periods breach the threshold, or
// an AWS::CloudWatch::CompositeAlarm, which rings while one of others does.
type alarm struct {
	ID    string  // logical id
	Tells bool    // it has actions
	Any   []alarm // of a composite alarm: the others
	metric
	Statistic   string // Sum, Maximum or a percentile such as p90
	Period      time.Duration
	Periods     int
	Datapoints  int // how many of the periods must breach the threshold; 0: all
	Threshold   float64
	Comparison  string
	Missing     string // how a period without data counts
	IgnoreFew   bool   // keep the state while there is too little data for the percentile
	Description string
}

// readAlarms reads all alarms of a template, in the order of their ids. It returns an error for a
// property that is not supported here.
func readAlarms(t *template.Template, s template.Scope) (out []alarm, err error) {
	for _, r := range t.Resources("AWS::CloudWatch::Alarm") {
		properties := map[string]any{}
		for name, v := range r.Properties() {
			if name == "AlarmActions" || name == "OKActions" {
				continue // the targets of the alarm, which are not needed here
			}
			if properties[name], err = t.Eval(v, s); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", r.ID, name, err)
			}
		}
		a, err := readAlarm(r.ID, properties)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		a.Tells = r.Properties()["AlarmActions"] != nil
		out = append(out, a)
	}
	for _, r := range t.Resources("AWS::CloudWatch::CompositeAlarm") {
		a, err := readComposite(r, out)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		out = append(out, a)
	}
	return out, nil
}

// oneOf is the rule of a composite alarm: alarms by their logical ids, of which one is enough.
var oneOf = regexp.MustCompile(`^ALARM\("\$\{(\w+)\}"\)( OR ALARM\("\$\{\w+\}"\))*$`)

// readComposite reads a composite alarm over some of the others.
func readComposite(r template.Resource, others []alarm) (a alarm, err error) {
	a = alarm{ID: r.ID, Tells: r.Properties()["AlarmActions"] != nil}
	rule, _ := r.Properties()["AlarmRule"].(map[string]any)
	text := strings.TrimSpace(fmt.Sprint(rule["Fn::Sub"]))
	if !oneOf.MatchString(text) {
		return a, fmt.Errorf("the rule %s is not supported", text)
	}
	for _, part := range strings.Split(text, " OR ") {
		id := strings.TrimSuffix(strings.TrimPrefix(part, `ALARM("${`), `}")`)
		at := slices.IndexFunc(others, func(o alarm) bool { return o.ID == id })
		if at < 0 {
			return a, fmt.Errorf("there is no alarm %s", id)
		}
		a.Any = append(a.Any, others[at])
	}
	return a, nil
}

func readAlarm(id string, properties map[string]any) (a alarm, err error) {
	a = alarm{ID: id, Missing: "missing"}
	for name, v := range properties {
		text := fmt.Sprint(v)
		switch name {
		case "AlarmDescription":
			a.Description = text
		case "Namespace":
			a.Namespace = text
		case "MetricName":
			a.Name = text
		case "Dimensions":
			a.Dimension, err = dimensionOf(v)
		case "Statistic", "ExtendedStatistic":
			a.Statistic = text
		case "Period":
			var seconds int
			seconds, err = strconv.Atoi(text)
			a.Period = time.Duration(seconds) * time.Second
		case "EvaluationPeriods":
			a.Periods, err = strconv.Atoi(text)
		case "DatapointsToAlarm":
			a.Datapoints, err = strconv.Atoi(text)
		case "Threshold":
			a.Threshold, err = strconv.ParseFloat(text, 64)
		case "ComparisonOperator":
			a.Comparison = text
		case "TreatMissingData":
			a.Missing = text
		case "EvaluateLowSampleCountPercentile":
			a.IgnoreFew = text == "ignore"
		default:
			err = fmt.Errorf("%s is not supported", name)
		}
		if err != nil {
			return a, err
		}
	}
	if a.Period <= 0 || a.Periods < 1 {
		return a, fmt.Errorf("no period")
	}
	if _, err := a.statistic([]float64{0}); err != nil {
		return a, err
	}
	_, err = a.breaches(0)
	return a, err
}

func dimensionOf(v any) (string, error) {
	list, _ := v.([]any)
	if len(list) != 1 {
		return "", fmt.Errorf("%d dimensions", len(list))
	}
	d, _ := list[0].(map[string]any)
	return fmt.Sprintf("%v=%v", d["Name"], d["Value"]), nil
}

// rings reports whether the alarm rings at some time in a recording of a given length. It evaluates
// the alarm every step, starting when the recording fills the alarm's periods.
func (a alarm) rings(points []point, length, step time.Duration) bool {
	if a.Any != nil {
		return slices.ContainsFunc(a.Any, func(o alarm) bool { return o.rings(points, length, step) })
	}
	points = slices.DeleteFunc(slices.Clone(points), func(p point) bool { return p.metric != a.metric })
	for now := a.Period * time.Duration(a.Periods); now <= length; now += step {
		if a.ringsAt(points, now) {
			return true
		}
	}
	return false
}

func (a alarm) ringsAt(points []point, now time.Duration) bool {
	samples, breached := 0, 0
	for i := range a.Periods {
		end := now - a.Period*time.Duration(i)
		var values []float64
		for _, p := range points {
			if p.At < end && p.At >= end-a.Period {
				values = append(values, p.Value)
			}
		}
		samples += len(values)
		if len(values) == 0 {
			if a.Missing == "breaching" {
				breached++
			}
			continue
		}
		value, err := a.statistic(values)
		if err != nil {
			return false // cannot happen: Load refuses it
		}
		if breaches, err := a.breaches(value); err == nil && breaches {
			breached++
		}
	}
	needed := cmp.Or(a.Datapoints, a.Periods)
	return breached >= needed && (!a.IgnoreFew || samples >= a.leastSamples())
}

// leastSamples returns how many values make a percentile significant: 10/(1-p).
func (a alarm) leastSamples() int {
	p, ok := percentile(a.Statistic)
	if !ok {
		return 0
	}
	return int(math.Round(10 / (1 - p)))
}

func percentile(statistic string) (float64, bool) {
	n, err := strconv.ParseFloat(strings.TrimPrefix(statistic, "p"), 64)
	return n / 100, err == nil && strings.HasPrefix(statistic, "p") && n >= 50 && n < 100
}

func (a alarm) statistic(values []float64) (float64, error) {
	switch p, ok := percentile(a.Statistic); {
	case a.Statistic == "Maximum":
		return slices.Max(values), nil
	case a.Statistic == "Sum":
		sum := 0.0
		for _, v := range values {
			sum += v
		}
		return sum, nil
	case ok:
		sorted := slices.Sorted(slices.Values(values))
		return sorted[min(len(sorted)-1, int(math.Ceil(p*float64(len(sorted))))-1)], nil
	}
	return 0, fmt.Errorf("the statistic %q is not supported", a.Statistic)
}

func (a alarm) breaches(value float64) (bool, error) {
	switch a.Comparison {
	case "GreaterThanOrEqualToThreshold":
		return value >= a.Threshold, nil
	case "GreaterThanThreshold":
		return value > a.Threshold, nil
	case "LessThanThreshold":
		return value < a.Threshold, nil
	}
	return false, fmt.Errorf("the comparison %q is not supported", a.Comparison)
}
