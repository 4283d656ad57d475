#!/bin/sh
# DynamoDB Local, the official emulator, for tests without AWS. Needs Java 17 or later and Maven.
#
#   dynamodb-local.sh install     download it to .tools/dynamodb-local, unless it is there
#   dynamodb-local.sh run PORT    install it and run it in the foreground; data is kept in memory,
#                                 each access key has a database of its own
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
home=${DYNAMODB_LOCAL_HOME:-$root/.tools/dynamodb-local}

install() {
	if [ -e "$home/installed" ] && cmp -s "$home/installed" "$here/dynamodb-local/pom.xml"; then
		return
	fi
	for tool in java mvn; do
		command -v "$tool" >/dev/null || { echo "dynamodb-local.sh: $tool is missing" >&2; exit 1; }
	done
	mkdir -p "$home"
	mvn -q -B -f "$here/dynamodb-local/pom.xml" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DoutputDirectory="$home/lib" -DincludeScope=runtime
	cp "$here/dynamodb-local/pom.xml" "$home/installed"
}

case "${1-}" in
install)
	install
	;;
run)
	port=${2:?usage: dynamodb-local.sh run PORT}
	install
	cd "$home"
	exec java -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Djava.library.path=lib -cp 'lib/*' \
		com.amazonaws.services.dynamodbv2.local.main.ServerRunner -disableTelemetry -inMemory -port "$port"
	;;
*)
	echo "usage: dynamodb-local.sh install | run PORT" >&2
	exit 2
	;;
esac
