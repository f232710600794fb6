import css from './shortcut-row.module.css';
import { Pencil, RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { Command } from '../../../../shared/domain/commands/command-list.ts';
import { overridesOf, presetNames, type KeyPreset } from '../../../../shared/domain/commands/key-presets.ts';
import { placeTitles } from '../../../../shared/domain/commands/command-places.ts';
import { useCommandTitle, useKeymap } from '../../../lib/commands.tsx';
import type { Shortcut } from '../../../../shared/domain/commands/accelerator.ts';
import { keyCaps } from '../../../lib/hotkeys.ts';
import { useText } from '../../../lib/text.ts';
import { Chip } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { judgeKey } from '../model/choose-key.ts';
import { KeyRecorder } from './key-recorder.tsx';

export interface ShortcutRowProps {
  readonly command: Command;
  /** Whose keys are not called changed, and come back with a reset. */
  readonly preset: KeyPreset;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onCancel: () => void;
  readonly onGive: (key: Shortcut | null) => void;
}

/** A command and its keys. Fixed ones belong to a control and are only shown. */
export function ShortcutRow({ command, preset, isEditing, onEdit, onCancel, onGive }: ShortcutRowProps) {
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
    if (wasEditing.current && !isEditing && row.current?.contains(document.activeElement) !== true) {
      if (document.activeElement === document.body)
        row.current?.querySelector<HTMLElement>('button:last-of-type')?.focus();
    }
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
            <span className={css['none']}>{t('settings.shortcuts.noKey')}</span>
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
