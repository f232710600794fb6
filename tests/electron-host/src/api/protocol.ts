import type Electron from 'electron';
import type { SchemeHandler } from '../server.ts';
import { addScheme } from '../scheme-urls.ts';
import { sayClassGaps, warnOnce } from '../unsupported.ts';

/** The custom schemes of one session. All privileges are granted: inside the browser a scheme is a secure http origin. */
export class Protocol {
  readonly handlers = new Map<string, SchemeHandler>();

  registerSchemesAsPrivileged(schemes: readonly Electron.CustomScheme[]): void {
    for (const { scheme } of schemes) addScheme(scheme);
  }

  handle(scheme: string, handler: SchemeHandler): void {
    if (this.handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    if (['file', 'http', 'https', 'data', 'blob'].includes(scheme)) {
      warnOnce(`protocol.handle('${scheme}')`);
      return;
    }
    addScheme(scheme);
    this.handlers.set(scheme, handler);
  }

  unhandle(scheme: string): void {
    this.handlers.delete(scheme);
  }

  isProtocolHandled(scheme: string): boolean {
    return this.handlers.has(scheme);
  }
}
sayClassGaps(Protocol, 'protocol');
Protocol satisfies new () => Pick<Electron.Protocol, 'isProtocolHandled' | 'unhandle'>;
