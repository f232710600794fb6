interface WorkerScope<In, Out> {
  postMessage(message: Out, transfer?: readonly Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<In>) => void): void;
}

/** Called in the entry of a thread only. */
export const workerScope = <In, Out>() => globalThis as unknown as WorkerScope<In, Out>;
