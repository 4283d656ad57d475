package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/scripts/internal/template"
)

const minute = time.Minute

// series makes a value for every minute of a metric.
func series(m metric, values ...float64) (out []point) {
	for i, v := range values {
		out = append(out, point{metric: m, At: time.Duration(i) * minute, Value: v})
	}
	return out
}

func TestRings(t *testing.T) {
	m := metric{"AWS/Lambda", "Errors", "FunctionName=F"}
	other := metric{"AWS/Lambda", "Errors", "FunctionName=G"}
	base := alarm{metric: m, Statistic: "Sum", Period: minute, Periods: 2, Threshold: 3,
		Comparison: "GreaterThanOrEqualToThreshold", Missing: "notBreaching"}
	with := func(change func(*alarm)) alarm {
		a := base
		change(&a)
		return a
	}
	many := slices.Repeat([]float64{1, 1, 1, 1, 1, 9}, 20) // in one minute, see below
	var dense []point
	for i, v := range many {
		dense = append(dense, point{metric: m, At: time.Duration(i) * time.Second, Value: v})
	}
	p90 := func(a *alarm) { a.Statistic, a.Threshold, a.IgnoreFew = "p90", 9, true }
	for name, c := range map[string]struct {
		alarm  alarm
		points []point
		length time.Duration
		want   bool
	}{
		"both periods breach":   {base, series(m, 3, 3), 2 * minute, true},
		"one does not":          {base, series(m, 3, 2, 3), 3 * minute, false},
		"for a while":           {base, series(m, 0, 3, 4, 0), 4 * minute, true},
		"of another function":   {base, series(other, 3, 3), 2 * minute, false},
		"a period without data": {base, series(m, 3, 3)[1:], 3 * minute, false},
		"without data, breaching": {with(func(a *alarm) { a.Missing = "breaching" }), nil,
			2 * minute, true},
		"a recording that is short": {with(func(a *alarm) { a.Missing = "breaching" }), nil,
			minute, false},
		"sums of a period": {with(func(a *alarm) { a.Period = 2 * minute }),
			series(m, 1, 2, 2, 1), 4 * minute, true},
		"the largest of a period": {with(func(a *alarm) {
			a.Period, a.Statistic = 2*minute,
				"Maximum"
		}), series(m, 1, 2, 2, 1), 4 * minute, false},
		"not more than the threshold": {with(func(a *alarm) { a.Comparison = "GreaterThanThreshold" }),
			series(m, 3, 3), 2 * minute, false},
		"less than the threshold": {with(func(a *alarm) { a.Comparison = "LessThanThreshold" }),
			series(m, 2, 2), 2 * minute, true},
		"two of three periods": {with(func(a *alarm) { a.Periods, a.Datapoints = 3, 2 }),
			series(m, 3, 0, 3), 3 * minute, true},
		"one of three periods": {with(func(a *alarm) { a.Periods, a.Datapoints = 3, 2 }),
			series(m, 3, 0, 0), 3 * minute, false},
		"one of others": {alarm{Any: []alarm{with(func(a *alarm) { a.metric = other }), base}}, series(m, 3, 3),
			2 * minute, true},
		"none of others": {alarm{Any: []alarm{with(func(a *alarm) { a.metric = other })}}, series(m, 3, 3),
			2 * minute, false},
		"a percentile":            {with(p90), dense, 2 * minute, true},
		"a percentile of too few": {with(p90), dense[:90], 2 * minute, false},
		"a percentile below its limit": {with(func(a *alarm) { p90(a); a.Threshold = 10 }), dense,
			2 * minute, false},
	} {
		if got := c.alarm.rings(c.points, c.length, minute); got != c.want {
			t.Errorf("%s: rings is %t", name, got)
		}
	}
}

// TestReadAlarmsRefuses: an alarm that this package does not understand is an error, not silent.
func TestReadAlarmsRefuses(t *testing.T) {
	const good = `{Namespace: N, MetricName: M, Statistic: Sum, Period: 60, EvaluationPeriods: 1, Threshold: 1, ComparisonOperator: LessThanThreshold}`
	load := func(properties string) error {
		parsed, err := template.Parse([]byte("Resources: {A: {Type: AWS::CloudWatch::Alarm, Properties: " +
			properties + "}}"))
		must.Do(t, err)
		_, err = readAlarms(parsed, template.Scope{})
		return err
	}
	must.Do(t, load(good))
	for old, new := range map[string]string{
		"Statistic: Sum": "Statistic: Average", "LessThanThreshold": "LessThanLowerThreshold",
		"Period: 60": "Unit: Count, Period: 60", "EvaluationPeriods: 1, ": "",
		"Threshold: 1": "Threshold: one", "Namespace: N": "Dimensions: [{Name: A}, {Name: B}]",
		"MetricName: M": "MetricName: !Ref Nothing",
	} {
		if load(strings.Replace(good, old, new, 1)) == nil {
			t.Errorf("%s is no error", new)
		}
	}
}

// TestMail: there is no stand-in for what SES knows of bounces and complaints, so its alarms get
// figures made up here. 5 % and 0.1 % are where SES reviews an account.
func TestMail(t *testing.T) {
	parsed, err := template.Load("../../infra/observability.yaml")
	must.Do(t, err)
	list, err := readAlarms(parsed, template.Scope{Stored: stored(t)})
	must.Do(t, err)
	for name, c := range map[string]struct {
		alarm        string
		quiet, rings float64
	}{
		"Reputation.BounceRate":    {"MailBounces", 0.03, 0.05},
		"Reputation.ComplaintRate": {"MailComplaints", 0.0005, 0.001},
	} {
		for value, want := range map[float64][]string{c.quiet: nil, c.rings: {c.alarm}} {
			points := series(metric{"AWS/SES", name, ""}, value)
			var got []string
			for _, a := range list {
				if a.ID != "SweeperSilent" && a.rings(points, time.Hour, 5*minute) {
					got = append(got, a.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s of %g: %v ring, want %v", name, value, got, want)
			}
		}
	}
}

// stored are the names that the service's template stores, with made-up values.
func stored(t *testing.T) map[string]string {
	t.Helper()
	parsed, err := template.Load("../../template.yaml")
	must.Do(t, err)
	s := template.Scope{Refs: map[string]string{"AWS::StackName": "headless", "HttpApi": "api",
		"Table": "table", "MediaBucket": "bucket"}}
	out, err := parsed.Stored(s)
	must.Do(t, err)
	return out
}
