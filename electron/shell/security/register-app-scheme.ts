import { protocol } from 'electron';

/** Must run before the app is ready: makes `app:` a standard, secure scheme with streams, never `file:` (S-02). */
export function registerAppScheme(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true };
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);
}
