import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Services } from '../services.ts';
import type { CallServer } from './call-server.ts';
import type { LegacyKey } from './key.ts';

export interface CallPort {
  /** `127.0.0.1:port`. */
  readonly host: string;
  close(): Promise<void>;
}

const maxConnections = 16;

/**
 * Listens on 127.0.0.1, on a port that the system chooses. The gRPC library is loaded with the first connection,
 * because most runs never need it.
 */
export async function openCallPort(services: Services, key: LegacyKey): Promise<CallPort> {
  const sockets = new Set<Socket>();
  let host = '';
  let loading: Promise<CallServer> | null = null;
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    loading ??= import('./call-server.ts').then(({ openCallServer }) => openCallServer(services, key, () => host));
    loading.then(
      (server) => server.take(socket),
      () => socket.destroy(),
    );
  });
  listener.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ port: 0, host: '127.0.0.1', exclusive: true }, resolve);
  });
  host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  return {
    host,
    close: async () => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      (await loading)?.close();
      await closed;
    },
  };
}
