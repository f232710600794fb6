import type { Session } from 'electron';
import { answerScheme, type SchemeSources } from './scheme-answer.ts';

/** Serves the app's pages to the windows of one session. */
export function serveAppScheme(session: Session, sources: SchemeSources): void {
  session.protocol.handle('app', (request) => answerScheme(request, sources));
}
