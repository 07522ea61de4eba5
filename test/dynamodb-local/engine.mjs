#!/usr/bin/env node
// Replaces the embedded engine: the same arguments (serve --host H --port P [--db-path FILE]), but a proxy of the
// one DynamoDB Local. That keeps a database for each access key id, so each engine signs with its own.
import { createHash, randomBytes } from 'node:crypto';
import { Agent, createServer, request } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  allowPositionals: true,
  options: { host: { type: 'string' }, port: { type: 'string' }, 'db-path': { type: 'string' } },
});
const file = values['db-path'];
const keyId =
  file === undefined
    ? randomBytes(9).toString('hex')
    : createHash('sha256').update(file).digest('hex').slice(0, 18);
const agent = new Agent({ keepAlive: true });
const target = process.env.CUEVAULT_TEST_DYNAMODB_LOCAL;

const server = createServer((incoming, outgoing) => {
  const { authorization, ...headers } = incoming.headers;
  if (authorization !== undefined)
    headers.authorization = authorization.replace(/Credential=[^/]*/, `Credential=${keyId}`);
  const forwarded = request(target, { method: incoming.method, headers, agent }, (reply) => {
    outgoing.writeHead(reply.statusCode, reply.headers);
    reply.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
});
server.listen(Number(values.port), values.host);
