/** Who fills a library: the service, or this computer. Its queue and what it is called there belong to one of them. */
export const origins = ['service', 'local'] as const;
export type Origin = (typeof origins)[number];

export interface Mode {
  /** The library's folder inside the data folder; null: the user may have moved it elsewhere. */
  readonly libraryFolder: string | null;
  /** The ledger's folder inside the data folder; null: with the library. */
  readonly ledgerFolder: string | null;
  readonly origin: Origin;
  /** Nothing is charged, so no price is shown and nothing is asked about money. */
  readonly isFree: boolean;
  /** The service is a program on this computer: it needs no network and no proxy, and its key is new at each start. */
  readonly isOnThisComputer: boolean;
  readonly isPractice: boolean;
  /** Has a part of the app only; in place of the rest stands what a key of the service adds. */
  readonly isWithoutKey: boolean;
}

/** The modes. A new one is an entry here and a provider of its connection in `electron/workspace/connection-service.ts`. */
export const modes = {
  local: {
    libraryFolder: null,
    ledgerFolder: 'local',
    origin: 'local',
    isFree: true,
    isOnThisComputer: true,
    isPractice: false,
    isWithoutKey: true,
  },
  service: {
    libraryFolder: null,
    ledgerFolder: null,
    origin: 'service',
    isFree: false,
    isOnThisComputer: false,
    isPractice: false,
    isWithoutKey: false,
  },
  practice: {
    libraryFolder: 'practice',
    ledgerFolder: null,
    origin: 'service',
    isFree: true,
    isOnThisComputer: true,
    isPractice: true,
    isWithoutKey: false,
  },
} as const satisfies Readonly<Record<string, Mode>>;

export type ModeId = keyof typeof modes;
export const modeIds = Object.keys(modes) as [ModeId, ...ModeId[]];
/** While none is chosen, nothing may be taken to be free. */
export const modeOf = (id: ModeId | 'unset'): Mode => modes[id === 'unset' ? 'service' : id];
