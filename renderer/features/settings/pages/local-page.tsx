import { Download, FileX2, FolderOpen, Laptop, Play, Pause, Trash2, X } from 'lucide-react';
import type { SpeechLanguage } from '../../../../shared/domain/languages.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import type { LocalModelView } from '../../../bridge/types.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { ModelProgress, useLocalModels } from '../../../parts/models/model-steps.tsx';
import { Button } from '../../../ui/button.tsx';
import { LanguageTag } from '../../../ui/chip.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Hint, Setting, SettingRow, SettingsGroup, SwitchSetting } from '../ui/settings-group.tsx';
import css from './local-page.module.css';

export function LocalPage() {
  const t = useText();
  const models = useLocalModels();
  const words = useFailureText();
  const { known, add, trouble, dismissRefused } = models;
  return (
    <>
      <SettingsGroup title={t('models.title')}>
        <Setting name="models">
          <SettingRow label={t('models.about')}>
            <Button icon={FolderOpen} onPress={() => void add()}>
              {t('models.have')}
            </Button>
          </SettingRow>
        </Setting>
        {known?.hasOwn === true && <Hint>{t('models.own')}</Hint>}
        {trouble !== null && <p role="alert">{trouble === 'no-files' ? t('models.noFiles') : words(trouble).text}</p>}
        <ul className={css['list']} aria-label={t('models.title')}>
          {known?.models.map((model) => (
            <ModelRow
              key={model.id}
              model={model}
              isLarger={known.models.some((other) => isSmallerTwin(other, model))}
              models={models}
            />
          ))}
          {known?.refused.map(({ name, sha256, published, missing }) => (
            <li key={name} className={css['row']}>
              <FileX2 aria-hidden size={18} strokeWidth={1.75} />
              <div className={css['words']}>
                <b>{name}</b>
                <p>{missing === null ? t('models.refused') : t('models.incomplete', { name, missing })}</p>
                {missing === null && (
                  <p className={css['sum']}>
                    {published === null
                      ? t('models.sum', { found: sha256 })
                      : t('models.sums', { found: sha256, published })}
                  </p>
                )}
              </div>
              <Button variant="ghost" onPress={dismissRefused}>
                {t('models.remove')}
              </Button>
            </li>
          ))}
        </ul>
      </SettingsGroup>
      <SettingsGroup title={t('models.work')}>
        <SwitchSetting name="battery" of="pausesOnBattery" />
      </SettingsGroup>
    </>
  );
}

const isSmallerTwin = (other: LocalModelView, { languages, totalBytes }: LocalModelView): boolean =>
  other.languages.join() === languages.join() && other.totalBytes < totalBytes;

interface ModelRowProps {
  readonly model: LocalModelView;
  readonly isLarger: boolean;
  readonly models: Pick<ReturnType<typeof useLocalModels>, 'get' | 'pause' | 'remove'>;
}

function ModelRow({ model, isLarger, models }: ModelRowProps) {
  const t = useText();
  const formats = useFormats();
  const words = useFailureText();
  const { id, state, languages, totalBytes, wordErrors } = model;
  const { interfaceLanguage } = useSettings();
  // Only English writes languages with a capital within a sentence.
  const nameAt = (language: SpeechLanguage, at: number) => {
    const name = t(`common.languageNames.${language}`);
    return at === 0 || interfaceLanguage === 'en' ? name : name.toLowerCase();
  };
  const spoken = formats.list(languages.map(nameAt));
  const kind = model.hasPunctuation ? 'punctuated' : isLarger ? 'larger' : null;
  const title = kind === null ? spoken : t(`models.${kind}`, { languages: spoken });
  const errors = wordErrors.map(({ language, least, most }) => `${language} ${String(least)}–${String(most)} %`);
  const facts = [
    model.name,
    model.licence,
    t('models.takes', { size: formats.bytes(totalBytes), memory: formats.bytes(model.memoryBytes) }),
    ...(errors.length === 0 ? [] : [t('models.errors', { errors: formats.list(errors) })]),
    ...(model.hasPunctuation ? [t('models.punctuates')] : []),
  ];
  const perHour = model.measuredFactor === null ? null : formats.duration(model.measuredFactor * 3_600_000);
  return (
    <li className={css['row']} data-state={state}>
      <Laptop aria-hidden size={18} strokeWidth={1.75} />
      <div className={css['words']}>
        <b>
          {title}
          {languages.map((language) => (
            <LanguageTag key={language} code={language} name={t(`common.languageNames.${language}`)} />
          ))}
        </b>
        <p>{facts.join(' · ')}</p>
        {state === 'absent' && <p>{t('models.absent', { source: model.source })}</p>}
        {(state === 'partial' || state === 'downloading' || state === 'checking') && <ModelProgress model={model} />}
        {state === 'here' && (
          <p>
            {t('models.states.here')}
            {perHour !== null && ` · ${t('models.perHour', { time: perHour })}`}
          </p>
        )}
        {state === 'too-little-memory' && (
          <p>{t('models.tooLittleMemory', { needed: formats.bytes(model.leastMemoryBytes) })}</p>
        )}
        {model.failure && <p role="alert">{words(model.failure).text}</p>}
      </div>
      <div className="flex gap-4 apart">
        {state === 'absent' && (
          <Button
            icon={Download}
            label={t('models.getNamed', { name: model.name, size: formats.bytes(totalBytes) })}
            onPress={() => models.get(id)}
          >
            {`${t('models.get')} · ${formats.bytes(totalBytes)}`}
          </Button>
        )}
        {state === 'partial' && (
          <Button icon={Play} onPress={() => models.get(id)}>
            {t('models.resume')}
          </Button>
        )}
        {state === 'downloading' && (
          <IconButton icon={Pause} label={t('models.pause')} onPress={() => models.pause(id)} />
        )}
        {(state === 'partial' || state === 'downloading') && (
          <IconButton icon={X} label={t('models.cancel')} onPress={() => models.remove(id)} />
        )}
        {state === 'here' && (
          <Button
            variant="ghost"
            icon={Trash2}
            label={t('models.removeNamed', { name: model.name })}
            onPress={() => models.remove(id)}
          >
            {t('models.remove')}
          </Button>
        )}
      </div>
    </li>
  );
}
