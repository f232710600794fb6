import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { commandOf, commands, titleValues, type CommandId } from '../../shared/domain/commands/command-list.ts';
import { createKeymap, isTypingKey, type Keymap, type KeyOverrides } from '../../shared/domain/commands/keymap.ts';
import type { TFunction } from 'i18next';
import type { Shortcut } from '../../shared/domain/commands/accelerator.ts';
import { listenIn } from './listen-in.ts';
import { isShortcut, isTypingTarget, openLayers } from './hotkeys.ts';
import { useText } from './text.ts';
import { Scope } from './scope.ts';

export type CommandNames = Partial<Readonly<Record<CommandId, string>>>;

interface CommandsValue {
  readonly registry: CommandRegistry;
  readonly keymap: Keymap;
  readonly jumpMs: number;
}

const CommandsContext = createContext<CommandsValue | null>(null);

function useCommandsValue(): CommandsValue {
  const value = useContext(CommandsContext);
  if (value === null) throw new Error('useCommands outside of CommandProvider');
  return value;
}

interface CommandProviderProps {
  readonly overrides: KeyOverrides;
  readonly usesLetters: boolean;
  readonly platform: 'darwin' | 'linux' | 'win32';
  readonly jumpMs: number;
  readonly children: ReactNode;
}

export function CommandProvider({ overrides, usesLetters, platform, jumpMs, children }: CommandProviderProps) {
  const [registry] = useState(createCommandRegistry);
  const keymap = useMemo(() => createKeymap(overrides, usesLetters, platform), [overrides, usesLetters, platform]);
  useEffect(() => {
    const scope = new Scope();
    const bound = boundKeys(keymap);
    const runKey = (event: KeyboardEvent) => {
      const id = event.defaultPrevented || event.repeat ? null : commandFor(event, registry, bound);
      if (id === null) return;
      event.preventDefault();
      registry.run(id);
    };
    scope.listen<KeyboardEvent>(window, 'keydown', runKey);
    // The items of a menu let no key out of it.
    const runKeyInMenu = (event: KeyboardEvent) => {
      const menu = event.target instanceof Element ? event.target.closest('[role="menu"]') : null;
      if (menu !== null && isOfShell(menu)) runKey(event);
    };
    scope.listen(window, 'keydown', runKeyInMenu, { capture: true });
    return () => scope.dispose();
  }, [registry, keymap]);
  const value = useMemo(() => ({ registry, keymap, jumpMs }), [registry, keymap, jumpMs]);
  return <CommandsContext value={value}>{children}</CommandsContext>;
}

interface BoundKey {
  readonly command: (typeof commands)[number];
  readonly key: Shortcut;
}
/** By the physical key, because this is asked for every letter that is typed. */
type BoundKeys = ReadonlyMap<string, readonly BoundKey[]>;

function boundKeys(keymap: Keymap): BoundKeys {
  const bound = commands.flatMap((command): readonly BoundKey[] =>
    command.isFixed === true ? [] : keymap.keysOf(command.id).map((key) => ({ command, key })),
  );
  return Map.groupBy(bound, ({ key }) => key.slice(key.lastIndexOf('+') + 1));
}

function commandFor(event: KeyboardEvent, registry: CommandRegistry, bound: BoundKeys): CommandId | null {
  const found = bound
    .get(event.code)
    ?.find(
      ({ command, key }) =>
        isShortcut(event, key) &&
        !(isTypingKey(key) && isTypingTarget(event.target)) &&
        registry.isAvailable(command.id),
    )?.command;
  if (found === undefined) return null;
  return isBlocked(found.overLayers) ? null : found.id;
}

/** Another shell dialog may replace what has this mark. */
export const shellLayer = { 'data-shell-layer': '' } as const;

/** The menus behind the entries of a menu belong to it, with what they lie in. */
const isOfShell = (layer: Element): boolean =>
  layer.querySelector('[data-shell-layer]') !== null ||
  ((layer.matches('[role="menu"]') || layer.querySelector('[role="menu"]') !== null) &&
    document.querySelector('[role="menu"][data-shell-layer]') !== null);

/** While a dialog or a menu is open, the keys of the page behind it are inactive. */
const isBlocked = (overLayers: 'shell' | 'any' | undefined): boolean =>
  overLayers !== 'any' && openLayers().some((layer) => overLayers !== 'shell' || !isOfShell(layer));

/** A false entry is not available. `names`: what commands are called here instead of by their titles. */
export function useCommands(
  runs: Partial<Readonly<Record<CommandId, (() => void) | false>>>,
  names: CommandNames = {},
): void {
  const { registry } = useCommandsValue();
  const run = useEffectEvent((id: CommandId) => {
    const now = runs[id];
    if (now) now();
  });
  const place = useRef(0);
  useEffect(() => {
    place.current = registry.takePlace();
  }, [registry]);
  const ids = (Object.keys(runs) as CommandId[]).filter((id) => Boolean(runs[id]));
  const available = JSON.stringify(ids.map((id) => [id, names[id] ?? null]));
  useEffect(() => {
    const stops = (JSON.parse(available) as [CommandId, string | null][]).map(([id, name]) =>
      registry.register(id, () => run(id), place.current, name),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [registry, available]);
}

export const useKeymap = (): Keymap => useCommandsValue().keymap;

export const useKeyFor = (): ((id: CommandId) => Shortcut | null) => useKeymap().keyOf;

export function useCommandTitle(): (id: CommandId, say?: TFunction) => string {
  const t = useText();
  const { jumpMs } = useCommandsValue();
  return useCallback((id, say = t) => say(commandOf(id).title, titleValues(jumpMs)), [t, jumpMs]);
}

export const useRunCommand = (): ((id: CommandId) => boolean) => useCommandsValue().registry.run;

export function useRunFromMenu(): (id: CommandId) => boolean {
  const { registry } = useCommandsValue();
  return useCallback((id) => !isBlocked(commandOf(id).overLayers) && registry.run(id), [registry]);
}

export function useAvailability(): { readonly ids: readonly CommandId[]; readonly names: CommandNames } {
  const { registry } = useCommandsValue();
  const version = useSyncExternalStore(registry.subscribe, registry.version);
  return useMemo(() => {
    const ids = commands.filter(({ id }) => version >= 0 && registry.isAvailable(id)).map(({ id }) => id);
    const named = ids.flatMap((id) => {
      const name = registry.nameOf(id);
      return name === null ? [] : [[id, name] as const];
    });
    return { ids, names: Object.fromEntries(named) };
  }, [registry, version]);
}

const nobodyAsks = () => -1;

/** Without fixed keys and commands for keys only; empty, and without a subscription, unless asked. */
export function useAvailableCommands(isAsked: boolean) {
  const { registry } = useCommandsValue();
  const version = useSyncExternalStore(registry.subscribe, isAsked ? registry.version : nobodyAsks);
  return useMemo(
    () =>
      commands
        .filter(({ id }) => version >= 0 && registry.isAvailable(id) && commandOf(id).isKeyOnly !== true)
        .map((command) => ({ ...command, name: registry.nameOf(command.id) })),
    [registry, version],
  );
}

interface Handler {
  readonly run: () => void;
  readonly place: number;
  readonly name: string | null;
}

type CommandRegistry = ReturnType<typeof createCommandRegistry>;

/** The handler with the latest place wins, because a screen is above the shell. */
export function createCommandRegistry() {
  const handlers = new Map<CommandId, readonly Handler[]>();
  const listeners = new Set<() => void>();
  let version = 0;
  let places = 0;
  const set = (id: CommandId, list: readonly Handler[]) => {
    if (list.length > 0) handlers.set(id, list);
    else handlers.delete(id);
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    /** Kept while commands come and go, or a background component would come before the screen. */
    takePlace: () => (places += 1),
    register: (id: CommandId, run: () => void, place: number, name: string | null = null) => {
      const handler = { run, place, name };
      const before = handlers.get(id) ?? [];
      set(
        id,
        [...before, handler].toSorted((one, other) => one.place - other.place),
      );
      return () => set(id, handlers.get(id)?.filter((other) => other !== handler) ?? []);
    },
    isAvailable: (id: CommandId) => handlers.has(id),
    nameOf: (id: CommandId) => handlers.get(id)?.at(-1)?.name ?? null,
    run: (id: CommandId) => {
      const handler = handlers.get(id)?.at(-1);
      handler?.run();
      return handler !== undefined;
    },
    subscribe: listenIn(listeners),
    version: () => version,
  };
}
