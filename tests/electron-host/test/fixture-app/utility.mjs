process.parentPort.on('message', ({ data }) => {
  if (data === 'exit') process.exit(7);
  process.parentPort.postMessage({
    echo: data,
    type: process.type,
    argv: process.argv.slice(2),
    marker: process.env.FIXTURE_MARKER ?? null,
    secret: process.env.FIXTURE_SECRET ?? null,
  });
});
