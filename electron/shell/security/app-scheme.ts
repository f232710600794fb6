import { type Session, protocol } from 'electron';
import { answerScheme, type SchemeSources } from './scheme-answer.ts';

/** Serves the app's pages to the windows of one session. */
export function serveAppScheme(session: Session, sources: SchemeSources): void {
  session.protocol.handle('app', (request) => answerScheme(request, sources));
}

/**
 * Must run before the app is ready: registers `app:` as a standard, secure scheme with streams, never `file:` (S-02).
 */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);
}
