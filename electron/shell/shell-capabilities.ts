/** What the surrounding shell can do; the page hides the rest. */
export interface Capabilities {
  readonly shell: 'electron' | 'host';
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly windowControls: boolean;
  readonly tray: boolean;
  readonly globalKeys: boolean;
  readonly menuBar: boolean;
}

interface ShellFacts {
  readonly platform: string;
  readonly hostVersion: string | undefined;
}

const platformOf = (platform: string): Capabilities['platform'] =>
  platform === 'darwin' || platform === 'win32' ? platform : 'linux';

/** What the page may offer. */
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
