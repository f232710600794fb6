import { connect } from 'node:net';

/**
 * Runs as a process of its own: sends standard input to the socket named by the argument; exit code 0 if it was
 * accepted.
 */
const socket = connect(process.argv[2] ?? '');
/** Only a living process has a socket that can be connected to; one that is still starting answers late. */
let isOwned = false;
socket.setTimeout(4000, () => process.exit(isOwned ? 0 : 1));
socket.on('error', () => process.exit(1));
socket.on('data', () => process.exit(0));
socket.on('close', () => process.exit(1));
socket.on('connect', () => {
  isOwned = true;
  process.stdin.pipe(socket, { end: false });
});
