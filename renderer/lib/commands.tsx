import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { commandOf, commands, titleValues, type CommandId } from '../../shared/domain/commands/command-list.ts';
import { createKeymap, isTypingKey, type Keymap, type KeyOverrides } from '../../shared/domain/commands/keymap.ts';
import type { TFunction } from 'i18next';
import { createCommandRegistry, type CommandRegistry } from './commands/registry.ts';
import type { Shortcut } from '../../shared/domain/commands/accelerator.ts';
import { isShortcut, isTypingTarget, openLayers } from './hotkeys.ts';
import { useText } from './text.ts';
import { Scope } from './scope.ts';

export type CommandNames = Partial<Readonly<Record<CommandId, string>>>;

interface CommandsValue {
  readonly registry: CommandRegistry;
  readonly keymap: Keymap;
  /** How far playback jumps, which is in the titles of the commands for it. */
  readonly jumpMs: number;
}

const CommandsContext = createContext<CommandsValue | null>(null);

function useCommandsValue(): CommandsValue {
  const value = useContext(CommandsContext);
  if (value === null) throw new Error('useCommands outside of CommandProvider');
  return value;
}

/** Holds the available commands and handles their keys. `overrides` are the user's own keys. */
export function CommandProvider({
  overrides,
  usesLetters,
  platform,
  jumpMs,
  children,
}: {
  readonly overrides: KeyOverrides;
  readonly usesLetters: boolean;
  readonly platform: 'darwin' | 'linux' | 'win32';
  readonly jumpMs: number;
  readonly children: ReactNode;
}) {
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
    scope.listen<KeyboardEvent>(
      window,
      'keydown',
      (event) => {
        const menu = event.target instanceof Element ? event.target.closest('[role="menu"]') : null;
        if (menu !== null && isOfShell(menu)) runKey(event);
      },
      { capture: true },
    );
    return () => {
      scope.dispose();
    };
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

/** Marks the content of a shell dialog, and the menu of the app, which another shell dialog may replace. */
export const shellLayer = { 'data-shell-layer': '' } as const;

/** Whether a layer is one of the shell; the menus behind the entries of a menu belong to it, with what they lie in. */
const isOfShell = (layer: Element): boolean =>
  layer.querySelector('[data-shell-layer]') !== null ||
  ((layer.matches('[role="menu"]') || layer.querySelector('[role="menu"]') !== null) &&
    document.querySelector('[role="menu"][data-shell-layer]') !== null);

/** While a dialog or a menu is open, the keys of the page behind it are inactive. */
const isBlocked = (overLayers: 'shell' | 'any' | undefined): boolean =>
  overLayers !== 'any' && openLayers().some((layer) => overLayers !== 'shell' || !isOfShell(layer));

/**
 * Registers commands while the component is mounted: `useCommands({ 'files.add': addFiles, 'samples.add': isPractice &&
 * addSamples })`. A false entry is not available. `names`: what commands are called here instead of by their titles.
 */
export function useCommands(
  runs: Partial<Readonly<Record<CommandId, (() => void) | false>>>,
  names: CommandNames = {},
): void {
  const { registry } = useCommandsValue();
  const latest = useRef(runs);
  useEffect(() => {
    latest.current = runs;
  });
  const place = useRef(0);
  useEffect(() => {
    place.current = registry.takePlace();
  }, [registry]);
  const ids = (Object.keys(runs) as CommandId[]).filter((id) => Boolean(runs[id]));
  const available = JSON.stringify(ids.map((id) => [id, names[id] ?? null]));
  useEffect(() => {
    const stops = (JSON.parse(available) as [CommandId, string | null][]).map(([id, name]) =>
      registry.register(
        id,
        () => {
          const run = latest.current[id];
          if (run) run();
        },
        place.current,
        name,
      ),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [registry, available]);
}

/** The current keys; the shortcut editor shows them and changes them through the settings. */
export const useKeymap = (): Keymap => useCommandsValue().keymap;

/** The key to show next to a control: `const keyFor = useKeyFor(); keyFor('files.add')`. */
export function useKeyFor(): (id: CommandId) => Shortcut | null {
  return useKeymap().keyOf;
}

/** The title of a command, in the language of the interface unless another one's strings are given. */
export function useCommandTitle(): (id: CommandId, say?: TFunction) => string {
  const t = useText();
  const { jumpMs } = useCommandsValue();
  return useCallback((id, say = t) => say(commandOf(id).title, titleValues(jumpMs)), [t, jumpMs]);
}

/** Runs a command wherever it is registered; does nothing when it is not available. */
export function useRunCommand(): (id: CommandId) => boolean {
  return useCommandsValue().registry.run;
}

/** Like `useRunCommand` for requests of a system menu: inactive behind a dialog, like the keys. */
export function useRunFromMenu(): (id: CommandId) => boolean {
  const { registry } = useCommandsValue();
  return useCallback((id) => !isBlocked(commandOf(id).overLayers) && registry.run(id), [registry]);
}

/** The ids of all available commands, in the order of the list, with the names of those that have one of their own. */
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

/**
 * The available commands, in the order of the list, without fixed keys and commands for keys only, each with the name it
 * has instead of its title, if any. Empty, and without a subscription, while not needed.
 */
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
