import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A service in a process of its own that takes whatever is sent, throws it away and says that it is queued.
const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.on('end', () => {
    response.writeHead(202, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: `tr_${bytes}`, status: 'queued', bytes }));
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit(0)).resume();
