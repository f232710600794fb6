/** The properties of a mode. Every mode has its own library and ledger (S-55). */
export interface Mode {
  /** The library's folder inside the data folder; null: the user may have moved it elsewhere. */
  readonly libraryFolder: string | null;
  /** Nothing is charged, so no price is shown and nothing is asked about money. */
  readonly isFree: boolean;
  /** The service is a program on this computer: it needs no network and no proxy, and its key is new at each start. */
  readonly isOnThisComputer: boolean;
  /** Texts come from the practice service and are marked as such. */
  readonly isPractice: boolean;
  /** The user's corrections of routes and names apply; a service that ships with the app needs none. */
  readonly usesCorrections: boolean;
}

/** The modes. A new one is an entry here and a provider of its connection in `electron/workspace/connection-service.ts`. */
export const modes = {
  /** Speech is recognised here. What waits in its queue must never reach the service, so its library is its own. */
  local: {
    libraryFolder: 'local',
    isFree: true,
    isOnThisComputer: true,
    isPractice: false,
    usesCorrections: false,
  },
  service: {
    libraryFolder: null,
    isFree: false,
    isOnThisComputer: false,
    isPractice: false,
    usesCorrections: true,
  },
  practice: {
    libraryFolder: 'practice',
    isFree: true,
    isOnThisComputer: true,
    isPractice: true,
    usesCorrections: false,
  },
} as const satisfies Readonly<Record<string, Mode>>;

export type ModeId = keyof typeof modes;
export const modeIds = Object.keys(modes) as [ModeId, ...ModeId[]];
export const modeOf = (id: ModeId): Mode => modes[id];
