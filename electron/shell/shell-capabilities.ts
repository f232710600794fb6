import type { Capabilities } from '../../shared/ipc/schemas.ts';

interface ShellFacts {
  readonly platform: string;
  /** Set when the test host runs us in place of Electron's binary. */
  readonly hostVersion: string | undefined;
}

const platformOf = (platform: string): Capabilities['platform'] =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux';

/**
 * What the page may offer. The test host can't remove the frame of a window, and has no tray, menu bar or global keys.
 */
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
