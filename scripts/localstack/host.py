"""LocalStack without containers.

LocalStack runs functions in containers and fetches DynamoDB Local by itself. This launcher replaces both: a function is a
process that talks to a small Lambda Runtime API in this one, and the jars of DynamoDB Local are those in $DDB_LIB. It also
corrects three things in the REST API, where API Gateway does otherwise: a body reaches the function as it came (LocalStack
parses forms and writes them anew), a function sees the client's address (LocalStack says 127.0.0.1), and a binary answer,
such as one compressed by gzip, is decoded for every client (LocalStack ignores */* among the binary types).
Everything else is LocalStack as released. Use it through scripts/tools/localstack.sh.

Functions reach the table at DynamoDB Local itself, the same that LocalStack passes each call on to: LocalStack is one Python
process, and a suite that makes some thousands of requests, of ten calls each, would wait for it most of the time.

What functions write also goes to the file $FUNCTION_LOG, if that is set.
"""

import json
import os
import queue
import signal
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from localstack import config
from localstack.runtime.main import main
from localstack.services.apigateway.next_gen.execute_api.handlers import parse
from localstack.services.apigateway.next_gen.execute_api.integrations import aws as integration
from localstack.services.dynamodb import packages as dynamodb_packages
from localstack.services.dynamodb import server as dynamodb_server
from localstack.services.lambda_.invocation import plugins
from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor
from twisted.web import http

FUNCTION_LOG = open(os.environ["FUNCTION_LOG"], "a") if os.environ.get("FUNCTION_LOG") else None
START_TIMEOUT = 10  # seconds until a function must ask for its first event


class RuntimeAPI(BaseHTTPRequestHandler):
    """The Lambda Runtime API, and of the Extensions API what a process needs to work behind its answers."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # one packet an answer
    disable_nagle_algorithm = True
    executor = None  # set in the subclass that each executor makes

    def log_message(self, *args):
        pass

    def do_GET(self):
        if self.path.endswith("/extension/event/next"):
            return self.next_for_extension()
        self.executor.ready.set()
        job = self.executor.jobs.get()
        if job is None:
            return self.reply(410)
        headers = {
            "Content-Type": "application/json",
            "Lambda-Runtime-Aws-Request-Id": job["invoke-id"],
            "Lambda-Runtime-Deadline-Ms": str(job["deadline"]),
            "Lambda-Runtime-Invoked-Function-Arn": job["invoked-function-arn"],
            "Lambda-Runtime-Trace-Id": job["trace-id"],
        }
        try:
            self.reply(200, job["payload"].encode(), headers)
        except OSError:
            pass  # the process was killed while it waited

    def next_for_extension(self):
        # A process is never frozen here, so nothing waits until the extension is done with an event.
        job = self.executor.extension.get()
        if job is None:
            return self.reply(410)
        event = {"eventType": "INVOKE", "requestId": job["invoke-id"], "deadlineMs": job["deadline"]}
        try:
            self.reply(200, json.dumps(event).encode())
        except OSError:
            pass

    def do_POST(self):
        body = self.body()
        if self.path.endswith("/extension/register"):
            self.executor.extension = queue.Queue()
            return self.reply(200, headers={"Lambda-Extension-Identifier": self.executor.id})
        self.reply(202)
        kind = self.path.rsplit("/", 1)[-1]  # response or error, after the id of the invocation
        if self.path.endswith("/init/error"):
            kind = "init"
            self.executor.ready.set()
        self.executor.outcomes.put((kind, body))

    def body(self):
        if not self.headers.get("Transfer-Encoding"):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def reply(self, status, body=b"{}", headers=None):
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


class ProcessExecutor(RuntimeExecutor):
    """One environment of a function: a process and its Runtime API. It takes one event at a time."""

    def __init__(self, id, function_version):
        super().__init__(id=id, function_version=function_version)
        self.lines = []
        self.process = self.server = self.extension = None

    def start(self, env_vars):
        self.code = str(self.function_version.config.code.get_unzipped_code_location())
        handler = type("Handler", (RuntimeAPI,), {"executor": self})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.environment = {name: str(value) for name, value in env_vars.items()} | {
            "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{self.server.server_port}",
            "AWS_ENDPOINT_URL_DYNAMODB": dynamodb_server.DynamodbServer.get().url,
            "LAMBDA_TASK_ROOT": self.code,
            "PATH": "/usr/bin:/bin",
        }
        self.spawn()
        if not self.ready.wait(START_TIMEOUT):
            raise RuntimeError(f"the function did not ask for work in {START_TIMEOUT} s:\n{self.get_logs()}")

    def spawn(self):
        # Each process has its own, so that it neither gets the events of one that ended nor answers for it.
        self.jobs, self.outcomes, self.ready = queue.Queue(), queue.Queue(), threading.Event()
        executable = os.path.join(self.code, "bootstrap")
        os.chmod(executable, 0o755)
        self.process = subprocess.Popen(
            [executable],
            cwd=self.code,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        threading.Thread(target=self.watch, args=(self.process, self.ready, self.outcomes), daemon=True).start()

    def watch(self, process, ready, outcomes):
        for line in process.stdout:
            text = line.decode(errors="replace")
            self.lines.append(text)
            if FUNCTION_LOG:
                print(text, end="", file=FUNCTION_LOG, flush=True)
        ready.set()
        outcomes.put(("exit", process.wait()))

    def invoke(self, payload):
        if self.process.poll() is not None:
            self.restart()
        timeout = self.function_version.config.timeout
        id, mark, started = payload["invoke-id"], len(self.lines), time.time()
        job = {**payload, "deadline": int((started + timeout) * 1000)}
        self.jobs.put(job)
        if self.extension:
            self.extension.put(job)
        try:
            kind, body = self.outcomes.get(timeout=timeout)
        except queue.Empty:
            self.kill()
            self.process.wait()  # so that the next event starts another one
            kind, body = "timeout", error(f"{id} Task timed out after {timeout}.00 seconds")
        if kind == "exit":
            body = error(f"RequestId: {id} Error: Runtime exited with code {body}", "Runtime.ExitError")
        milliseconds = (time.time() - started) * 1000
        time.sleep(0.002)  # lines that were written before the answer may still be on their way
        report = f"REPORT RequestId: {id} Duration: {milliseconds:.2f} ms\n"
        logs = f"START RequestId: {id} Version: $LATEST\n{''.join(self.lines[mark:])}END RequestId: {id}\n{report}"
        return InvocationResult(id, body, is_error=kind != "response", logs=logs)

    def restart(self):
        self.extension = None
        self.spawn()
        self.ready.wait(START_TIMEOUT)

    def kill(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def stop(self):
        if self.extension:
            self.extension.put(None)
        if self.process:
            self.jobs.put(None)
            self.kill()
        if self.server:
            self.server.shutdown()

    def get_address(self):
        return "127.0.0.1"

    def get_endpoint_from_executor(self):
        return "127.0.0.1"

    def get_runtime_endpoint(self):
        return f"http://127.0.0.1:{config.GATEWAY_LISTEN[0].port}/_localstack_lambda/{self.id}"

    def get_logs(self):
        return "".join(self.lines)

    @classmethod
    def prepare_version(cls, function_version):
        if function_version.config.code:
            function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version):
        pass


def error(message, kind=None):
    """The answer of an invocation that failed."""
    body = {"errorMessage": message}
    if kind:
        body["errorType"] = kind
    return json.dumps(body).encode()


def dynamodb_command(server):
    lib = os.environ["DDB_LIB"]
    command = ["java", f"-Xmx{server.heap_size}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    command += [f"-Djava.library.path={lib}", "-cp", f"{lib}/*"]
    command += ["com.amazonaws.services.dynamodbv2.local.main.ServerRunner", "-disableTelemetry"]
    command += ["-port", str(server.port)]
    return command + ["-inMemory", "-sharedDb"]


def body_as_it_came(request):
    return request.get_data(cache=True, parse_form_data=False)


def with_client_address(create):
    """Takes the address from what the last proxy in front noted, like a gateway that stands behind a load balancer."""

    def create_context_variables(context):
        variables = create(context)
        if forwarded := context.request.headers.get("X-Forwarded-For"):
            variables["identity"]["sourceIp"] = forwarded.split(",")[-1].strip()
        return variables

    return staticmethod(create_context_variables)


def replace():
    parser = parse.InvocationRequestParser
    parse.restore_payload = body_as_it_came
    integration.mime_type_matches_binary_media_types = lambda **_: True
    http._getMultiPartArgs = lambda content, type: {}  # the server itself refuses forms that it cannot read
    parser.create_context_variables = with_client_address(parser.create_context_variables)
    plugins.DockerRuntimeExecutorPlugin.load = lambda self, *args, **kwargs: ProcessExecutor
    dynamodb_server.DynamodbServer._create_shell_command = dynamodb_command
    installer = dynamodb_packages.DynamoDBLocalPackageInstaller
    installer.install = lambda self, *args, **kwargs: None
    installer.get_java_env_vars = lambda self: {}


replace()
main()
