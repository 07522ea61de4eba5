#!/usr/bin/env node
// Answers as Langfuse does, with one prompt, and prints its address.
import { createServer } from 'node:http';

const name = 'langfuse-weather';
const version = (number) => ({
  name,
  version: number,
  type: 'text',
  prompt: 'Say in one sentence that it is {{weather}}.',
  config: {},
  tags: [],
  labels: number === 3 ? ['latest', 'production'] : [],
});
const list = { data: [{ name, versions: [1, 3] }], meta: { page: 1, totalPages: 1 } };

const server = createServer(({ url }, response) => {
  const number = new URL(url, 'http://langfuse').searchParams.get('version');
  response.end(JSON.stringify(number === null ? list : version(Number(number))));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
