import { Pencil, RotateCcw, TriangleAlert } from 'lucide-react';
import { useState, useEffect, useRef } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { toAccelerator, type Shortcut } from '../../../../shared/domain/commands/accelerator.ts';
import {
  commands,
  placeTitles,
  playbackAnywhereCommands,
  type CommandGroup,
  type CommandId,
  type Command,
} from '../../../../shared/domain/commands/command-list.ts';
import {
  keyPresets,
  nearestPreset,
  overridesOf,
  presetNames,
  presetOf,
  type KeyPreset,
} from '../../../../shared/domain/commands/keymap.ts';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useCommandTitle, useKeymap } from '../../../lib/commands.tsx';
import { keyCaps, shortcutOfPress } from '../../../lib/hotkeys.ts';
import { useText, useFormats } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { giveKey, judgeKey } from '../model/choose-key.ts';
import type { SettingName } from '../model/settings-index.ts';
import { Hint, Setting, SettingRow, SettingsFold, SwitchSetting } from '../ui/settings-group.tsx';
import css from './shortcuts-page.module.css';

/** Two columns that keep their rows while one is being edited. */
const columns: readonly (readonly CommandGroup[])[] = [
  ['playback', 'text', 'segments'],
  ['captions', 'speakers', 'transcript', 'files', 'everywhere', 'dictation', 'view', 'help'],
];

export function ShortcutsPage() {
  const t = useText();
  const { shortcuts } = useSettings();
  const keymap = useKeymap();
  const titleOf = useCommandTitle();
  const change = useSettingsChange();
  const [editing, setEditing] = useState<CommandId | null>(null);
  const preset = presetOf(shortcuts);
  const nearest = nearestPreset(shortcuts);
  const [wanted, setWanted] = useState<KeyPreset | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [said, setSaid] = useState('');
  const give = (id: CommandId, name: string, key: Shortcut | null) => {
    setEditing(null);
    setSaid(
      key === null
        ? t('settings.shortcuts.savedNone', { action: name })
        : t('settings.shortcuts.saved', { action: name, keys: keyCaps(key).join(' ') }),
    );
    void change({ shortcuts: { ...giveKey(shortcuts, keymap, id, key) } });
  };
  return (
    <>
      <SwitchSetting name="letters" of="usesLetterKeys" />
      <Setting name="preset">
        <Select
          label={t('settings.shortcuts.preset')}
          options={[
            ...keyPresets.map((value) => ({ value, text: presetNames[value] })),
            ...(preset === null ? [{ value: 'own' as const, text: t('settings.shortcuts.ownPreset') }] : []),
          ]}
          value={preset ?? 'own'}
          onChange={(value) => {
            if (value === 'own') return;
            if (preset === null) setWanted(value);
            else void change({ shortcuts: { ...overridesOf[value] } });
          }}
        />
      </Setting>
      <SettingsFold title={t('settings.shortcuts.otherPrograms')}>
        <Setting name="playbackAnywhere">
          <PlaybackAnywhere />
        </Setting>
      </SettingsFold>
      <VisuallyHidden elementType="output">{said}</VisuallyHidden>
      <SettingsFold title={t('settings.shortcuts.all', { count: commands.length })}>
        <Setting name="keys">
          <div className={css['head']}>
            <Hint>{t('settings.shortcuts.hint')}</Hint>
            <Button variant="ghost" isDisabled={Object.keys(shortcuts).length === 0} onPress={() => setIsAsking(true)}>
              {t('settings.shortcuts.resetAll')}
            </Button>
          </div>
        </Setting>
        <div className={css['columns']}>
          {columns.map((groups) => (
            <div key={groups.join(' ')} className="thin">
              {groups.map((group) => (
                <section
                  key={group}
                  aria-label={t(`shortcuts.groups.${group}`)}
                  data-setting={group === 'dictation' ? ('dictationShortcuts' satisfies SettingName) : undefined}
                >
                  <h2 className={css['heading']}>{t(`shortcuts.groups.${group}`)}</h2>
                  <ul>
                    {commands
                      .filter((command) => command.group === group)
                      .map((command) => (
                        <ShortcutRow
                          key={command.id}
                          command={command}
                          preset={nearest}
                          isEditing={editing === command.id}
                          onEdit={() => setEditing(command.id)}
                          onCancel={() => setEditing(null)}
                          onGive={(key) => give(command.id, titleOf(command.id), key)}
                        />
                      ))}
                  </ul>
                </section>
              ))}
            </div>
          ))}
        </div>
      </SettingsFold>
      <Question
        title={t('settings.shortcuts.presetQuestion')}
        confirm={t('settings.shortcuts.presetYes')}
        isOpen={wanted !== null}
        onClose={() => setWanted(null)}
        onConfirm={() => {
          if (wanted !== null) void change({ shortcuts: { ...overridesOf[wanted] } });
        }}
      >
        {t('settings.shortcuts.presetText')}
      </Question>
      <Question
        title={t('settings.shortcuts.resetQuestion')}
        confirm={t('settings.shortcuts.resetAll')}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={() => void change({ shortcuts: {} })}
      >
        {t('settings.shortcuts.resetText')}
      </Question>
    </>
  );
}

function PlaybackAnywhere() {
  const t = useText();
  const { capabilities } = useApp();
  const { playsFromOtherPrograms } = useSettings();
  const keymap = useKeymap();
  const change = useSettingsChange();
  const keys = playbackAnywhereCommands.flatMap((id) => {
    const key = keymap.keyOf(id);
    return key === null || toAccelerator(key) === null ? [] : [keyCaps(key).join('+')];
  });
  const label = t('settings.shortcuts.anywhere');
  const hint = keys.length === 0 ? 'anywhereNoKeys' : 'anywhereHint';
  if (!capabilities.globalKeys) return <SettingRow label={label} hint={t('settings.shortcuts.anywhereCannot')} />;
  return (
    <Switch
      label={label}
      hint={t(`settings.shortcuts.${hint}`, { keys: keys.join(', ') })}
      isOn={playsFromOtherPrograms}
      onChange={(isOn) => void change({ playsFromOtherPrograms: isOn })}
    />
  );
}

interface ShortcutRowProps {
  readonly command: Command;
  /** Whose keys are not called changed, and come back with a reset. */
  readonly preset: KeyPreset;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onCancel: () => void;
  readonly onGive: (key: Shortcut | null) => void;
}

function ShortcutRow({ command, preset, isEditing, onEdit, onCancel, onGive }: ShortcutRowProps) {
  const t = useText();
  const keymap = useKeymap();
  const row = useRef<HTMLLIElement>(null);
  const wasEditing = useRef(false);
  const { id } = command;
  const title = useCommandTitle()(id);
  // Other places may have a command of the same title as the editor.
  const isElsewhere = command.place !== 'everywhere' && command.place !== 'editor';
  const place = isElsewhere ? t(placeTitles[command.place]) : null;
  const name = place === null ? title : `${title}, ${place}`;
  const key = keymap.keyOf(id);
  const usual = overridesOf[preset][id] ?? keymap.defaultOf(id);
  const isChanged = key !== usual;
  /** The usual key while another command has it: the recorder says which, and asks. */
  const [wanted, setWanted] = useState<Shortcut | null>(null);
  // The pencil that opened the row gets the focus back when it closes.
  useEffect(() => {
    if (wasEditing.current && !isEditing && document.activeElement === document.body)
      row.current?.querySelector<HTMLElement>('button:last-of-type')?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <li ref={row} className={css['row']}>
      <span className={css['name']}>
        {title}
        {place !== null && <span className={css['place']}>{place}</span>}
      </span>
      {isEditing ? (
        <KeyRecorder id={id} name={name} wanted={wanted} onCancel={onCancel} onGive={onGive} />
      ) : (
        <span className={css['end']}>
          {isChanged && <Chip>{t('settings.shortcuts.changed')}</Chip>}
          {key === null ? (
            <span className="small subtle">{t('settings.shortcuts.noKey')}</span>
          ) : (
            <>
              <Keys shortcut={key} />
              <VisuallyHidden elementType="kbd">{keyCaps(key).join(' ')}</VisuallyHidden>
            </>
          )}
          {isChanged && (
            <IconButton
              size="sm"
              icon={RotateCcw}
              label={t('settings.shortcuts.reset', { preset: presetNames[preset], action: name })}
              onPress={() => {
                if (usual === null || judgeKey(keymap, id, usual).tag === 'free') onGive(usual);
                else {
                  setWanted(usual);
                  onEdit();
                }
              }}
            />
          )}
          {command.isFixed !== true && (
            <IconButton
              size="sm"
              icon={Pencil}
              label={t('settings.shortcuts.edit', { action: name })}
              onPress={() => {
                setWanted(null);
                onEdit();
              }}
            />
          )}
        </span>
      )}
    </li>
  );
}

interface KeyRecorderProps {
  readonly id: CommandId;
  readonly name: string;
  /** A key that is judged at once, as if it had been pressed. */
  readonly wanted: Shortcut | null;
  readonly onCancel: () => void;
  readonly onGive: (key: Shortcut | null) => void;
}

/** Records the next key combination. Tab moves on to the buttons and Escape cancels, so that nobody is trapped. */
function KeyRecorder({ id, name, wanted, onCancel, onGive }: KeyRecorderProps) {
  const t = useText();
  const keymap = useKeymap();
  const [pressed, setPressed] = useState(wanted);
  const box = useRef<HTMLButtonElement>(null);
  useEffect(() => box.current?.focus(), []);
  const take = (event: React.KeyboardEvent) => {
    const key = shortcutOfPress(event);
    if (key === 'Tab' || key === 'Shift+Tab') return;
    // No other part of the app may react to these keys.
    event.preventDefault();
    event.stopPropagation();
    if (key === null || event.repeat) return;
    if (key === 'Escape') onCancel();
    else if (judgeKey(keymap, id, key).tag === 'free') onGive(key);
    else setPressed(key);
  };
  return (
    <div className="row gap-6 wrap ending thin">
      {pressed !== null && <Keys shortcut={pressed} />}
      <button
        ref={box}
        type="button"
        className={css['box']}
        aria-label={t('settings.shortcuts.pressFor', { action: name })}
        onKeyDown={take}
      >
        <span>{t('settings.shortcuts.press')}</span>
      </button>
      <Button size="sm" isDisabled={keymap.keyOf(id) === null} onPress={() => onGive(null)}>
        {t('settings.shortcuts.clear')}
      </Button>
      <Button size="sm" variant="ghost" onPress={onCancel}>
        {t('settings.shortcuts.cancel')}
      </Button>
      <output className={css['verdict']}>
        {pressed !== null && <Verdict id={id} pressed={pressed} onGive={onGive} />}
      </output>
    </div>
  );
}

interface VerdictProps {
  readonly id: CommandId;
  readonly pressed: Shortcut;
  readonly onGive: (key: Shortcut) => void;
}

function Verdict({ id, pressed, onGive }: VerdictProps) {
  const t = useText();
  const formats = useFormats();
  const keymap = useKeymap();
  const titleOf = useCommandTitle();
  const keys = keyCaps(pressed).join(' ');
  const verdict = judgeKey(keymap, id, pressed);
  if (verdict.tag === 'free') return null;
  if (verdict.tag === 'taken') return <Warning>{t('settings.shortcuts.taken', { keys })}</Warning>;
  const actions = formats.list(verdict.ids.map((other) => titleOf(other)));
  if (verdict.tag === 'fixed') return <Warning>{t('settings.shortcuts.fixed', { keys, actions })}</Warning>;
  return (
    <>
      <Warning>{t('settings.shortcuts.conflict', { keys, actions })}</Warning>
      <Button size="sm" onPress={() => onGive(pressed)}>
        {t('settings.shortcuts.useHere')}
      </Button>
    </>
  );
}

function Warning({ children }: { readonly children: string }) {
  return (
    <span className={css['warning']}>
      <TriangleAlert aria-hidden size={16} strokeWidth={1.75} />
      <span>{children}</span>
    </span>
  );
}
