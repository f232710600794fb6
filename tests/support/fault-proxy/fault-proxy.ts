import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { FaultChooser, halfOpen, type Fault, type FaultRule } from './faults.ts';
import { Exchange, type SeenExchange } from './exchange.ts';
import { HttpFramer } from './http-framer.ts';

export interface FaultProxyOptions {
  /** Where the service listens on loopback. */
  readonly upstreamPort: number;
  readonly rules?: readonly FaultRule[];
  /** Of the random choices; print it with a failure. */
  readonly seed?: number;
}

export interface FaultProxy {
  readonly url: string;
  readonly port: number;
  readonly seed: number;
  /** Rules for exchanges that start from now on. */
  rules: readonly FaultRule[];
  /** Every exchange in the order of their starts. */
  readonly exchanges: readonly SeenExchange[];
  /** New connections are accepted and reset at once, and open ones are reset. */
  down(): void;
  up(): void;
  /** Open connections are reset, and new ones are refused by the system, as if nothing listened. */
  goAway(): Promise<void>;
  /** At the same port as before. */
  comeBack(): Promise<void>;
  /** Nothing answers at all, on new and on persistent connections. */
  freeze(): void;
  /** Resets open connections; new ones work. */
  resetAll(): void;
  close(): Promise<void>;
}

/**
 * A proxy between client and service on real sockets that passes HTTP/1.1 on byte by byte and damages it by rules: cuts
 * at any byte, resets, stalls, drips, and loses answers to work that was done. Chosen per exchange, also on persistent
 * connections. After an upgrade the bytes of a socket count as one body.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const chooser = new FaultChooser(seed);
  const sockets = new Set<Socket>();
  const exchanges: SeenExchange[] = [];
  const state = { rules: options.rules ?? [], mode: 'up' as 'up' | 'down' | 'frozen' };
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    return socket.setNoDelay(true);
  };
  const openUpstream = (): Socket =>
    track(connect({ host: '127.0.0.1', port: options.upstreamPort, allowHalfOpen: true }));

  async function serve(client: Socket): Promise<void> {
    const framer = new HttpFramer('requests');
    let current: Exchange | null = null;
    client.on('close', () => current?.abandon());
    for await (const chunk of client.iterator({ destroyOnReturn: false })) {
      for (const piece of framer.feed(chunk as Buffer)) {
        if (piece.kind === 'head') {
          await current?.finished;
          const [method = '', path = ''] = piece.first.split(' ');
          const isFrozen = state.mode === 'frozen';
          const fault: Fault | null = isFrozen ? halfOpen() : chooser.choose(state.rules, method, path);
          current = new Exchange({ client, fault, openUpstream, upstreamPort: options.upstreamPort, method });
          exchanges.push(current.seen);
        }
        await current?.take(piece);
      }
    }
    // The client is gone, or has sent everything.
    await current?.clientEnded();
    client.end();
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    track(client);
    if (state.mode === 'down') client.resetAndDestroy();
    else if (state.mode === 'up') serve(client).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const resetAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seed,
    exchanges,
    get rules() {
      return state.rules;
    },
    set rules(next) {
      state.rules = next;
    },
    down() {
      state.mode = 'down';
      resetAll();
    },
    async goAway() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      resetAll();
      await closed;
    },
    comeBack: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
    freeze: () => void (state.mode = 'frozen'),
    up() {
      // A client on a frozen connection would wait for ever.
      if (state.mode === 'frozen') resetAll();
      state.mode = 'up';
    },
    resetAll,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
