import type { App, Session, WebContents } from 'electron';

interface PermissionQuestion {
  readonly permission: string;
  readonly origin: string;
  readonly isMainFrame: boolean;
  /** Only for `media`: what the page wants to record. */
  readonly mediaTypes: readonly string[];
}

const ownOrigin = (origin: string) => origin === 'app://studio' || origin === 'app://studio/';

/** The whole table of S-19: writing text to the clipboard, and audio while the user has the microphone on. */
export function isPermitted(question: PermissionQuestion, isMicrophoneOn: boolean): boolean {
  if (!question.isMainFrame || !ownOrigin(question.origin)) return false;
  switch (question.permission) {
    case 'clipboard-sanitized-write':
      return true;
    case 'media':
      return isMicrophoneOn && question.mediaTypes.length === 1 && question.mediaTypes[0] === 'audio';
    default:
      return false;
  }
}

const originOf = (url: string) => (URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}` : '');

/**
 * Applies the table to every permission check and request of this session. `askSystem` asks the user where the system
 * wants that: macOS gives an app that did not ask a silent microphone.
 */
export function guardPermissions(
  session: Session,
  isMicrophoneOn: () => boolean = () => false,
  askSystem: (() => Promise<boolean>) | null = null,
): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const mediaTypes = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const origin = originOf(details.requestingUrl);
    const asked = { permission, origin, isMainFrame: details.isMainFrame, mediaTypes };
    const isAllowed = isPermitted(asked, isMicrophoneOn());
    if (isAllowed && permission === 'media' && askSystem !== null) void askSystem().then(answer, () => answer(false));
    else answer(isAllowed);
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) => {
    const mediaTypes = details.mediaType === undefined ? [] : [details.mediaType];
    return isPermitted({ permission, origin, isMainFrame: details.isMainFrame, mediaTypes }, isMicrophoneOn());
  });
  session.setDevicePermissionHandler(() => false);
}

/**
 * Nothing may navigate a window away from our page (S-17). Changes of the hash don't raise these events, and neither
 * does main's own `loadURL`, so everything that arrives here is refused.
 */
function refuseNavigation(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Applies to every web contents that is ever created, ours or not. */
export function guardNavigation(app: App): void {
  app.on('web-contents-created', (_event, contents) => refuseNavigation(contents));
}
