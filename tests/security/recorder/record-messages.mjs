import { appendFileSync } from 'node:fs';
import { app, ipcMain } from 'electron';

const file = process.env['OVOZ_TEST_IPC_RECORD'];
if (file === undefined) throw new Error('OVOZ_TEST_IPC_RECORD says where messages are written');

/** Bytes as text of the same length, so that a secret in a buffer is found too. */
const plain = (_name, value) => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack };
  return typeof value === 'bigint' ? String(value) : value;
};
const record = (direction, channel, message) =>
  appendFileSync(file, `${JSON.stringify({ direction, channel, message }, plain)}\n`, { mode: 0o600 });

const handle = ipcMain.handle.bind(ipcMain);
ipcMain.handle = (channel, listener) =>
  handle(channel, async (event, ...messages) => {
    record('in', channel, messages);
    const answer = await listener(event, ...messages);
    record('out', channel, answer);
    return answer;
  });

app.on('web-contents-created', (_event, contents) => {
  const send = contents.send.bind(contents);
  contents.send = (channel, ...messages) => {
    record('out', channel, messages);
    send(channel, ...messages);
  };
});
