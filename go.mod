module headless

go 1.26
