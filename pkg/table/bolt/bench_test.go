package bolt

import (
	"fmt"
	"testing"

	"headless/pkg/table"
)

func item(n int) table.Item {
	return table.Item{Key: table.Key{Partition: "bench", Sort: fmt.Sprintf("%08d", n)}, Version: 1,
		Body: make([]byte, 1000)}
}

func filled(b *testing.B, n int) *Table {
	tab := openTest(b)
	puts := make([]table.Item, n)
	for i := range puts {
		puts[i] = item(i)
	}
	if err := tab.BatchWrite(b.Context(), puts, nil); err != nil {
		b.Fatal(err)
	}
	return tab
}

func BenchmarkGet3(b *testing.B) {
	tab := filled(b, 10_000)
	for i := 0; b.Loop(); i++ {
		keys := [...]table.Key{item(i % 3000).Key, item(3000 + i*7%3000).Key, item(6000 + i*31%3000).Key}
		if _, err := tab.Get(b.Context(), table.Strong, keys[:]...); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery20(b *testing.B) {
	tab := filled(b, 10_000)
	for i := 0; b.Loop(); i++ {
		items, err := tab.Query(b.Context(),
			table.Range{Partition: "bench", From: item(i % 9000).Sort, Limit: 20})
		if err != nil || len(items) != 20 {
			b.Fatal(len(items), err)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	tab := openTest(b)
	for b.Loop() {
		if _, err := tab.Add(b.Context(), table.Key{Partition: "c", Sort: "s"}, 1, 1<<60, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWrite commits entries of one document and ten small rows.
func BenchmarkWrite(b *testing.B) {
	for _, writers := range []int{1, 16, 64} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			tab := openTest(b)
			next := make(chan int)
			errs := make(chan error, writers)
			for range writers {
				go func() {
					var err error
					for i := range next {
						ops := []table.Op{{Kind: table.Put, Item: item(i), If: table.Absent}}
						for f := range 10 {
							row := table.Item{Key: table.Key{Partition: fmt.Sprint("f", f),
								Sort: fmt.Sprint(i)}, Body: make([]byte, 60)}
							ops = append(ops, table.Op{Kind: table.Put, Item: row})
						}
						if e := tab.Write(b.Context(), ops); e != nil {
							err = e
						}
					}
					errs <- err
				}()
			}
			for i := 0; b.Loop(); i++ {
				next <- i
			}
			close(next)
			for range writers {
				if err := <-errs; err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
		})
	}
}
