import { X } from 'lucide-react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { SettingRow } from './settings-group.tsx';
import css from './settings-pages.module.css';

/** Whether misspelt words are marked, and the words that are never marked. */
export function SpellingChoice() {
  const t = useText();
  const { checksSpelling, knownWords } = useSettings();
  const change = useSettingsChange();
  return (
    <>
      <Switch
        label={t('settings.editor.spelling')}
        hint={t('settings.editor.spellingHint')}
        isOn={checksSpelling}
        onChange={(isOn) => void change({ checksSpelling: isOn })}
      />
      <SettingRow
        label={t('settings.editor.knownWords')}
        hint={t(knownWords.length === 0 ? 'settings.editor.knownWordsEmpty' : 'settings.editor.knownWordsHint')}
      />
      <ul className={css['knownWords']} aria-label={t('settings.editor.knownWords')}>
        {knownWords
          .toSorted((a, b) => a.localeCompare(b))
          .map((word) => (
            <li key={word} className={css['knownWord']}>
              {word}
              <IconButton
                size="sm"
                icon={X}
                label={t('settings.editor.removeKnownWord', { word })}
                onPress={() => void change({ knownWords: knownWords.filter((one) => one !== word) })}
              />
            </li>
          ))}
      </ul>
    </>
  );
}
