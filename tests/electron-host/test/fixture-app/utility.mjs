process.parentPort.on('message', ({ data, ports }) => {
  if (data === 'exit') process.exit(7);
  if (data === 'port') {
    const [port] = ports;
    port.on('message', (event) => port.postMessage({ echoed: event.data }));
    port.start();
    return;
  }
  if (data === 'print') process.stdout.write('printed by the utility\n');
  process.parentPort.postMessage({
    echo: data,
    type: process.type,
    argv: process.argv.slice(2),
    marker: process.env.FIXTURE_MARKER ?? null,
    secret: process.env.FIXTURE_SECRET ?? null,
    pid: process.pid,
  });
});
