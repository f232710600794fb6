import * as electron from 'electron';

process.parentPort.on('message', ({ data, ports: [port] }) => {
  if (data === 'exit') process.exit(7);
  if (data === 'crash') process.crash();
  if (data === 'uncloneable') {
    try {
      process.parentPort.postMessage(() => {});
    } catch (error) {
      process.parentPort.postMessage(error.message);
    }
    return;
  }
  if (port) port.on('message', (event) => port.postMessage(`through the port: ${event.data}`));
  port?.start();
  process.parentPort.postMessage({
    echo: data,
    type: process.type,
    argv: process.argv.slice(2),
    marker: process.env.FIXTURE_MARKER ?? null,
    secret: process.env.FIXTURE_SECRET ?? null,
    net: typeof electron.net?.fetch,
  });
});
