import css from './shortcuts-page.module.css';
import { useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useApp, useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { commands, type CommandGroup, type CommandId } from '../../../../shared/domain/commands/command-list.ts';
import {
  keyPresets,
  nearestPreset,
  overridesOf,
  presetNames,
  presetOf,
  type KeyPreset,
} from '../../../../shared/domain/commands/key-presets.ts';
import { useCommandTitle, useKeymap } from '../../../lib/commands.tsx';
import { toAccelerator, type Shortcut } from '../../../../shared/domain/commands/accelerator.ts';
import { playbackAnywhereCommands } from '../../../../shared/domain/commands/global-commands.ts';
import { keyCaps } from '../../../lib/hotkeys.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Question } from '../../../ui/dialog.tsx';
import { giveKey } from '../model/choose-key.ts';
import type { SettingName } from '../model/settings-index.ts';
import { Hint, Setting, SettingRow } from '../ui/settings-group.tsx';
import { ShortcutRow } from '../ui/shortcut-row.tsx';

/** Two columns that keep their rows while one is being edited. */
const columns: readonly (readonly CommandGroup[])[] = [
  ['playback', 'text', 'segments'],
  ['captions', 'speakers', 'transcript', 'files', 'everywhere', 'dictation', 'view'],
];

/** Every command and its keys, which can be changed, removed and reset. */
export function ShortcutsPage() {
  const t = useText();
  const { shortcuts, usesLetterKeys } = useSettings();
  const keymap = useKeymap();
  const titleOf = useCommandTitle();
  const change = useSettingsChange();
  const [editing, setEditing] = useState<CommandId | null>(null);
  const preset = presetOf(shortcuts);
  const nearest = nearestPreset(shortcuts);
  /** The preset that would replace the user's own keys. */
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
      <Setting name="letters">
        <Switch
          label={t('settings.shortcuts.letters')}
          hint={t('settings.shortcuts.lettersHint')}
          isOn={usesLetterKeys}
          onChange={(isOn) => void change({ usesLetterKeys: isOn })}
        />
      </Setting>
      <Setting name="playbackAnywhere">
        <PlaybackAnywhere />
      </Setting>
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
      <Setting name="keys">
        <div className={css['head']}>
          <Hint>{t('settings.shortcuts.hint')}</Hint>
          <Button
            variant="ghost"
            isDisabled={Object.keys(shortcuts).length === 0}
            onPress={() => {
              setIsAsking(true);
            }}
          >
            {t('settings.shortcuts.resetAll')}
          </Button>
        </div>
      </Setting>
      <VisuallyHidden elementType="output">{said}</VisuallyHidden>
      <div className={css['columns']}>
        {columns.map((groups) => (
          <div key={groups.join(' ')} className={css['column']}>
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
                        onEdit={() => {
                          setEditing(command.id);
                        }}
                        onCancel={() => {
                          setEditing(null);
                        }}
                        onGive={(key) => {
                          give(command.id, titleOf(command.id), key);
                        }}
                      />
                    ))}
                </ul>
              </section>
            ))}
          </div>
        ))}
      </div>
      <Question
        title={t('settings.shortcuts.presetQuestion')}
        confirm={t('settings.shortcuts.presetYes')}
        isOpen={wanted !== null}
        onClose={() => {
          setWanted(null);
        }}
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
        onClose={() => {
          setIsAsking(false);
        }}
        onConfirm={() => void change({ shortcuts: {} })}
      >
        {t('settings.shortcuts.resetText')}
      </Question>
    </>
  );
}

/** Whether the keys of playback work in other programs too. */
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
