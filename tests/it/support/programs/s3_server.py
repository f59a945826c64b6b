"""Serves S3 from memory on a free port of this machine, with a bucket of the name that is the argument. Prints its
address, and ends when standard input does."""

import sys

import boto3
from moto.server import ThreadedMotoServer

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
address = f"http://{host}:{port}"
boto3.client(
    "s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="test", aws_secret_access_key="test"
).create_bucket(Bucket=sys.argv[1])
print(address, flush=True)
sys.stdin.read()
server.stop()
