import type { Procedures, StreamProcedures } from '../../electron/ipc/procedure.ts';
import type { App } from '../../electron/sections/context.ts';
import { createProcedures, createStreamProcedures } from '../../electron/sections/procedures.ts';

/** Has every member and does nothing: for tests of what procedures accept. A test that uses it mocks Electron. */
const nothing: object = new Proxy(() => undefined, { get: () => nothing });
const app = new Proxy({ dataRoot: '/' }, { get: (own, name) => Reflect.get(own, name) ?? nothing }) as unknown as App;

/** All requests and streams of the app, without an app behind them. */
export const bareProcedures = createProcedures(app);
export const bareStreams = createStreamProcedures(app);

/** The same requests, each answered by `answer`. */
export const answeredBy = (answer: (method: string, input: unknown) => ReturnType<Procedures[string]['handle']>) =>
  Object.fromEntries(
    Object.entries<Procedures[string]>(bareProcedures).map(([method, procedure]) => [
      method,
      { ...procedure, handle: (input: unknown) => answer(method, input) },
    ]),
  );

/** The same streams, each run by `run`. */
export const runBy = (run: (name: string) => ReturnType<StreamProcedures[string]['handle']>) =>
  Object.fromEntries(
    Object.entries<StreamProcedures[string]>(bareStreams).map(([name, stream]) => [
      name,
      { ...stream, handle: () => run(name) },
    ]),
  );
