import type Electron from 'electron';
import { NetError } from '../net-error.ts';
import type { SchemeHandler } from '../server.ts';
import { addScheme } from '../scheme-urls.ts';
import { sayClassGaps, warnOnce } from '../unsupported.ts';

/** Whether Electron would accept what a handler gave; an object that is like a response is one. */
function isAnswer(answer: Response | null | undefined): answer is Response {
  if (typeof answer !== 'object' || answer === null) return false;
  const given = (name: keyof Response, isRight: (value: unknown) => boolean) =>
    !Object.hasOwn(answer, name) || isRight(answer[name]);
  return (
    given('status', (value) => typeof value === 'number') &&
    given('statusText', (value) => typeof value === 'string') &&
    given('headers', (value) => typeof value === 'object') &&
    given('body', (value) => value === null || value instanceof ReadableStream)
  );
}

/** The handler's answer; its failure is the network's, in the network's words. */
async function answerOf(handler: SchemeHandler, request: Request): Promise<Response> {
  let answer: Response;
  try {
    answer = await handler(request);
    if (!isAnswer(answer)) throw new TypeError('the handler gave no response');
    if (answer.type !== 'error' && !(answer instanceof Response))
      answer = new Response((answer as Response).body, answer);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    throw new NetError('ERR_UNEXPECTED');
  }
  if (answer.type === 'error') throw new NetError('ERR_FAILED');
  return answer;
}

/** The custom schemes of one session. All privileges are granted: inside the browser a scheme is a secure http origin. */
export class Protocol {
  readonly handlers = new Map<string, SchemeHandler>();

  registerSchemesAsPrivileged(schemes: readonly Electron.CustomScheme[]): void {
    for (const { scheme, privileges } of schemes) addScheme(scheme, privileges?.standard === true);
  }

  handle(scheme: string, handler: SchemeHandler): void {
    if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    if (['file', 'http', 'https', 'data', 'blob'].includes(scheme)) {
      warnOnce(`protocol.handle('${scheme}')`, "answers main's own net.fetch only here");
    } else addScheme(scheme);
    this.handlers.set(scheme, (request) => answerOf(handler, request));
  }

  unhandle(scheme: string): void {
    if (!this.handlers.delete(scheme)) throw new Error(`Failed to unhandle protocol: ${scheme}`);
  }

  // The older names: what was never registered is not there.
  unregisterProtocol(scheme: string): boolean {
    return this.handlers.delete(scheme);
  }

  uninterceptProtocol(_scheme: string): boolean {
    return false;
  }

  isProtocolHandled(scheme: string): boolean {
    return this.handlers.has(scheme);
  }
}
sayClassGaps(Protocol, 'protocol');
Protocol satisfies new () => Pick<Electron.Protocol, 'isProtocolHandled' | 'unhandle'>;
