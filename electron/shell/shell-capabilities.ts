import type { Capabilities } from '../../shared/ipc/schemas.ts';

interface ShellFacts {
  readonly platform: string;
  /** Present when the stand-in for Electron's binary runs us. */
  readonly hostVersion: string | undefined;
}

const platformOf = (platform: string): Capabilities['platform'] =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux';

/** What the page may show. The host can't take the frame off a window, nor reach tray, menu bar and system keys. */
export function shellCapabilities({ platform, hostVersion }: ShellFacts): Capabilities {
  const isElectron = hostVersion === undefined;
  return {
    shell: isElectron ? 'electron' : 'host',
    platform: platformOf(platform),
    windowControls: isElectron && platform !== 'darwin',
    tray: isElectron,
    globalKeys: isElectron,
    menuBar: isElectron && platform === 'darwin',
  };
}
