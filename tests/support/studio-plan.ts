import type { Procedures } from '../../electron/sections/procedures.ts';
import type { ConnectionState, RecoveryState, RequestOutput, Settings } from '../../renderer/bridge/types.ts';
import { noQueue, type JobView, type QueueView } from '../../shared/domain/jobs/job-view.ts';
import { defaultSettings, mainOnlySettings } from '../../shared/domain/settings/settings.ts';
import type { Failure } from '../../shared/result/failure.ts';

type Method = keyof Procedures;

/**
 * What the page finds instead of main: first answers, fixed answers, refusals. Plain data, because it is sent to the
 * page.
 */
export interface StudioPlan {
  readonly app: RequestOutput<'app.describe'>;
  readonly jobs: readonly JobView[];
  readonly queue: QueueView;
  readonly recovery: RecoveryState;
  readonly answers: { readonly [M in Method]?: RequestOutput<M> };
  readonly failures: { readonly [M in Method]?: Failure };
  /** The parts of a long text, for `readSegments`. */
  readonly textParts?: readonly string[];
  /** Requests that are not answered until a test releases them. */
  readonly waits: readonly Method[];
}

const shown = Object.fromEntries(Object.entries(defaultSettings).filter(([name]) => !(name in mainOnlySettings)));
export const someSettings = {
  ...shown,
  interfaceLanguage: 'en',
  appearance: 'light',
  serviceAddress: 'https://api.example.test',
  mode: 'service',
  includeSpeakers: true,
  restoresSpeech: false,
  copyTemplate: '{name}',
  copyFolderName: null,
  watchedFolders: [] as Settings['watchedFolders'],
  exportFolderName: null,
  recentExports: [] as Settings['recentExports'],
} as Settings;

export const someConnection: ConnectionState = {
  mode: 'service',
  serviceAddress: someSettings.serviceAddress,
  key: { present: true, maskedSuffix: '3kQ9', store: 'keychain', keychain: 'present' },
  access: { products: [], checkedAtMs: null },
  legacyKey: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' },
  accountToken: { present: false, maskedSuffix: '', store: 'none', keychain: 'absent' },
  practice: 'off',
  isOnline: true,
  isPausedOnBattery: false,
  sendsUnpriced: false,
};

interface PlanChanges extends Partial<Omit<StudioPlan, 'app'>> {
  readonly settings?: Partial<Settings>;
  readonly connection?: Partial<ConnectionState>;
  readonly capabilities?: Partial<StudioPlan['app']['capabilities']>;
}

/** A studio that is connected and idle, changed by the test. */
export function planStudio({ settings, connection, capabilities, ...rest }: PlanChanges = {}): StudioPlan {
  const mode = settings?.mode ?? someSettings.mode;
  return {
    app: {
      version: '0.1.0',
      capabilities: {
        shell: 'host',
        platform: 'linux',
        windowControls: true,
        tray: false,
        globalKeys: false,
        menuBar: false,
        ...capabilities,
      },
      settings: { ...someSettings, ...settings },
      connection: { ...someConnection, mode, practice: mode === 'practice' ? 'running' : 'off', ...connection },
      isMaximized: false,
    },
    jobs: [],
    queue: noQueue,
    recovery: { areSettingsReset: false, library: null, failure: null },
    answers: {},
    failures: {},
    waits: [],
    ...rest,
  };
}
