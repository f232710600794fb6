import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A service that accepts every upload and discards it. It answers that the job is queued, or with `done` that it has
// finished, with a text.
const isDone = process.argv[2] === 'done';
let count = 0;
const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    count += 1;
    const id = `tr_${count}`;
    const segments = [{ start: 0, end: 0.2, text: 'Salom dunyo.' }];
    const answer = isDone
      ? { data: { id, status: 'completed', text: 'Salom dunyo.', segments } }
      : { id, status: 'queued', bytes };
    response.writeHead(isDone ? 200 : 202, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
