/** One call that strace saw. */
export interface TracedCall {
  readonly pid: number;
  readonly name: string;
  /** Arguments and result as strace writes them. */
  readonly text: string;
}

/** Reads the output of `strace -f -o`; joins calls that were interrupted by another thread. */
export function readTrace(trace: string): readonly TracedCall[] {
  const calls: TracedCall[] = [];
  const unfinished = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const match = /^(\d+)\s+(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$/.exec(line);
    if (match === null) continue;
    const [, pid = '', begun, head = '', resumed, tail = ''] = match;
    const name = begun ?? resumed ?? '';
    const key = `${pid} ${name}`;
    const text = begun === undefined ? (unfinished.get(key) ?? '') + tail : head;
    if (begun !== undefined && text.endsWith('<unfinished ...>')) {
      unfinished.set(key, text.slice(0, -'<unfinished ...>'.length));
    } else {
      unfinished.delete(key);
      calls.push({ pid: Number(pid), name, text });
    }
  }
  return calls;
}

/**
 * Which program each process or thread of a trace was running last, by its file's name. Needs `execve` and the clone
 * family in the trace; a thread runs what its process runs.
 */
export function programsOf(calls: readonly TracedCall[]): (pid: number) => string {
  const parents = new Map<number, number>();
  const started = new Map<number, string>();
  for (const { pid, name, text } of calls) {
    const child = /^v?fork$|^clone3?$/.test(name) ? / = (\d+)$/.exec(text)?.[1] : undefined;
    if (child !== undefined) parents.set(Number(child), pid);
    const program = name === 'execve' && text.endsWith(' = 0') ? /^"([^"]+)"/.exec(text)?.[1] : undefined;
    // A process that executes itself again keeps its name.
    if (program !== undefined && program !== '/proc/self/exe') started.set(pid, program.split('/').at(-1) ?? '');
  }
  const find = (pid: number): string => {
    const parent = parents.get(pid);
    return started.get(pid) ?? (parent === undefined ? '' : find(parent));
  };
  return find;
}
