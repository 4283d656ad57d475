#!/bin/sh
# The S3 emulator of the tests: versitygw over a folder, on the loopback address only. It checks presigned requests as AWS does.
#
#   scripts/tools/versitygw.sh install          build it into .tools/ (about a minute, once)
#   scripts/tools/versitygw.sh run PORT DIR     serve DIR; access key "test", secret "testtest"
#
# Then: S3_ENDPOINT=http://127.0.0.1:PORT go test ./pkg/blob/s3
set -eu

version=v1.8.0
tools="$(cd "$(dirname "$0")/../.." && pwd)/.tools"
binary="$tools/versitygw-$version"

install_gateway() {
	[ -x "$binary" ] && return
	mkdir -p "$tools"
	GOBIN="$tools" go install "github.com/versity/versitygw/cmd/versitygw@$version"
	mv "$tools/versitygw" "$binary"
}

case "${1:-}" in
install)
	install_gateway
	;;
run)
	[ $# -eq 3 ] || { echo "usage: $0 run PORT DIR" >&2; exit 2; }
	install_gateway
	mkdir -p "$3"
	ROOT_ACCESS_KEY=test ROOT_SECRET_KEY=testtest exec "$binary" --port "127.0.0.1:$2" --quiet posix "$3"
	;;
*)
	echo "usage: $0 install | run PORT DIR" >&2
	exit 2
	;;
esac
