import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight, CircleAlert, KeyRound, RefreshCw, FolderOpen, Laptop } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { interfaceLanguages, type SpeechLanguage } from '../../../shared/domain/languages.ts';
import type { ModeId } from '../../../shared/domain/modes.ts';
import { useConnection, useSettings } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../bridge/use-settings-change.ts';
import { useText } from '../../lib/text.ts';
import {
  PracticeState,
  ConnectionForm,
  useChooseMode,
  connectionReportQuery,
  useConnectionForm,
} from '../../parts/connection/connection-form.tsx';
import { ProxyFields, ProxyModes, useProxyForm } from '../../parts/connection/proxy-form.tsx';
import { ModelSteps, isModelHere, useLocalModels } from '../../parts/models/model-steps.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Mark } from '../../ui/mark.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import css from './welcome-screen.module.css';

const heights = [
  18, 66, 90, 113, 134, 151, 134, 144, 167, 170, 205, 190, 190, 186, 216, 208, 221, 202, 255, 240, 206, 246, 224, 201,
  249, 221, 240, 197, 248, 195, 199, 173, 202, 143, 148, 140, 138, 115, 79, 58, 18,
];

export function WelcomeScreen({ windowControls }: { readonly windowControls: ReactNode }) {
  const t = useText();
  const { serviceAddress, key } = useConnection();
  const { interfaceLanguage } = useSettings();
  const change = useSettingsChange();
  // Entering an address or a key, here or in the environment, answers the question.
  const [asksKey, setAsksKey] = useState(serviceAddress !== '' || key.present);
  const start = useStart();
  const card = useRef<HTMLElement>(null);
  const { tag } = start.form.check;
  // What a check found grows the card, and must not end behind the buttons below.
  useEffect(() => {
    if (asksKey) card.current?.scrollIntoView({ block: 'nearest' });
  }, [asksKey, tag, key, start.isDoubted]);
  return (
    <div className={css['welcome']}>
      <section className={css['art']} aria-label={t('common.appName')}>
        <div className={css['brand']}>
          <Mark size={26} />
          <b>{t('common.appName')}</b>
        </div>
        <Dome className={css['dome']} />
        <div>
          <p className={css['motto']}>{t('welcome.motto')}</p>
          <p className={css['mottoMore']}>{t('welcome.mottoMore')}</p>
        </div>
      </section>
      <main className={css['main']} aria-label={t('welcome.label')}>
        <div className={css['top']}>
          <Segmented
            size="sm"
            label={t('shell.settings.language')}
            options={interfaceLanguages.map((value) => ({ value, text: t(`common.languages.${value}`), lang: value }))}
            value={interfaceLanguage}
            onChange={(next) => void change({ interfaceLanguage: next })}
          />
          {windowControls}
        </div>
        <div className={css['scroll']}>
          <div className={css['inner']}>
            <div>
              <h1 className={css['title']}>{t('welcome.title')}</h1>
              <p className={css['hint']}>{t('welcome.hint')}</p>
            </div>
            <LocalStart
              isMain={!asksKey}
              isStarting={start.isStarting}
              onAway={() => setAsksKey(false)}
              onOpen={(andThen) => void start.open('local', { andThen })}
            />
            <section
              ref={card}
              className={css['card']}
              data-main={asksKey || undefined}
              aria-label={t('welcome.service.title')}
            >
              <KeyRound aria-hidden size={20} strokeWidth={1.75} />
              <div className={css['words']}>
                <h2>{t('welcome.service.title')}</h2>
                <p>{t('welcome.service.text')}</p>
                <p className="subtle">{t('welcome.service.brief')}</p>
              </div>
              {!asksKey && <Button onPress={() => setAsksKey(true)}>{t('welcome.service.enter')}</Button>}
              {asksKey && (
                <div className={css['form']}>
                  <ConnectionForm form={start.form} isRetriedBelow={start.isDoubted} />
                  {start.isDoubted && (
                    <p role="alert" className={css['doubt']}>
                      <CircleAlert aria-hidden size={16} strokeWidth={1.75} />
                      {t('welcome.doubt')}
                    </p>
                  )}
                </div>
              )}
            </section>
            <PracticeState failure={start.failure} />
            <Button variant="ghost" isDisabled={start.isStarting} onPress={() => void start.open('practice')}>
              {t('welcome.lookAround')}
            </Button>
          </div>
        </div>
        {asksKey && (
          <div className={css['go']}>
            <ProxyChoice />
            {start.isDoubted && !start.isStarting && (
              <Button size="lg" onPress={() => void start.open('service', { isKnowingly: true })}>
                {t('welcome.openAnyway')}
              </Button>
            )}
            <Button
              variant="primary"
              size="lg"
              iconAfter={start.isDoubted ? RefreshCw : ArrowRight}
              isLoading={start.isStarting}
              onPress={() => void start.open('service')}
            >
              {t(start.isDoubted ? 'common.tryAgain' : 'welcome.openStudio')}
            </Button>
          </div>
        )}
      </main>
    </div>
  );
}

interface StartOptions {
  readonly isKnowingly?: boolean;
  readonly andThen?: ((spoken: SpeechLanguage) => void) | undefined;
}

function useStart() {
  const studio = useStudio();
  const queries = useQueryClient();
  const form = useConnectionForm();
  const { interfaceLanguage, speechLanguage } = useSettings();
  const change = useSettingsChange();
  const { choose, isChoosing, failure } = useChooseMode();
  const [isChecking, setIsChecking] = useState(false);
  // What the free reads found questionable, already shown; the user may continue anyway.
  const [doubt, setDoubt] = useState<{ readonly of: string } | null>(null);
  const { serviceAddress, key } = form.connection;
  const checked = JSON.stringify([form.address.trim(), serviceAddress, key.maskedSuffix, key.present]);
  const isDoubted = doubt?.of === checked;
  const openService = async (isKnowingly: boolean) => {
    const connection = await form.saveAddress();
    if (connection === null || !connection.key.present) {
      form.askFor();
      // Already open, it comes to the front.
      if (connection !== null) await form.enterKey();
      return;
    }
    if (!isKnowingly) {
      const query = connectionReportQuery(studio, connection);
      // An earlier check is outdated when the user tries again.
      const report = await queries.fetchQuery({ ...query, staleTime: isDoubted ? 0 : 5000 }).catch(() => null);
      if (report?.service !== 'reached' || report.key !== 'accepted') {
        const { serviceAddress: address, key: stored } = connection;
        setDoubt({ of: JSON.stringify([address, address, stored.maskedSuffix, stored.present]) });
        return;
      }
    }
    await choose('service');
  };
  const open = async (mode: ModeId, { isKnowingly = false, andThen }: StartOptions = {}) => {
    setIsChecking(true);
    // Most people record in the language they read, and no other choice exists yet.
    const spoken = interfaceLanguage === 'uz-Cyrl' ? 'uz' : interfaceLanguage;
    if (spoken !== speechLanguage) await change({ speechLanguage: spoken, dictationLanguage: spoken });
    await (mode === 'service' ? openService(isKnowingly) : choose(mode));
    andThen?.(spoken);
    setIsChecking(false);
  };
  return { form, open, isStarting: isChoosing || isChecking, failure, isDoubted };
}

function Dome({ className }: { readonly className: string | undefined }) {
  const middle = (heights.length - 1) / 2;
  return (
    <svg
      className={className}
      viewBox="0 0 460 340"
      fill="none"
      stroke="currentColor"
      strokeWidth="5.5"
      strokeLinecap="round"
      aria-hidden
    >
      {heights.map((height, index) => (
        <path
          key={`bar-${String(index)}`}
          d={`M${String(10 + index * 11)} ${String(330 - height)}V330`}
          opacity={1 - (Math.abs(index - middle) / middle) * 0.7}
        />
      ))}
    </svg>
  );
}

/** Behind an office proxy nothing can be reached until it is configured, so this comes first. */
function ProxyChoice() {
  const t = useText();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="ghost" className={css['proxy']} onPress={() => setIsOpen(true)}>
        {t('welcome.proxy')}
      </Button>
      {isOpen && <ProxyDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function ProxyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const form = useProxyForm();
  return (
    <Dialog
      isOpen
      title={t('network.proxy.title')}
      onClose={onClose}
      footer={
        <Button
          variant="primary"
          onPress={() => {
            if (form.isWhole) onClose();
            else form.saveWritten();
          }}
        >
          {t('common.done')}
        </Button>
      }
    >
      <div className="column gap-12">
        <p className={css['proxyHint']}>{t('network.proxy.hint')}</p>
        <ProxyModes form={form} />
        <ProxyFields form={form} />
      </div>
    </Dialog>
  );
}

interface LocalStartProps {
  readonly isMain: boolean;
  readonly isStarting: boolean;
  readonly onAway: () => void;
  readonly onOpen: (andThen?: (spoken: SpeechLanguage) => void) => void;
}

function LocalStart({ isMain, isStarting, onAway, onOpen }: LocalStartProps) {
  const t = useText();
  const studio = useStudio();
  const models = useLocalModels();
  const { known } = models;
  const isComing = known?.models.some(({ state }) => state === 'downloading' || state === 'checking') ?? false;
  // The other answer needs the room.
  const isFolded = !isMain && !isComing;
  const variant = isMain ? 'primary' : 'default';
  const pickRecording = (language: SpeechLanguage) =>
    void studio.request('jobs.addPicked', {
      from: 'files',
      options: { kind: 'transcribe', language, includeSpeakers: false },
    });
  return (
    <section className={css['card']} data-main={isMain || undefined} aria-label={t('welcome.local.title')}>
      <Laptop aria-hidden size={20} strokeWidth={1.75} />
      <div className={css['words']}>
        <h2>{t('welcome.local.title')}</h2>
        <p>{t('welcome.local.text')}</p>
      </div>
      {isFolded ? (
        <Button onPress={onAway}>{t('welcome.local.instead')}</Button>
      ) : (
        <div className={css['form']}>
          {isModelHere(known) ? (
            <>
              <output>{t(known?.hasOwn ? 'welcome.local.own' : 'welcome.local.ready')}</output>
              <div className="flow gap-8">
                <Button
                  variant={variant}
                  size="lg"
                  icon={FolderOpen}
                  isLoading={isStarting}
                  onPress={() => onOpen(pickRecording)}
                >
                  {t('welcome.local.choose')}
                </Button>
                <Button size="lg" variant="ghost" onPress={() => onOpen()}>
                  {t('welcome.openStudio')}
                </Button>
              </div>
            </>
          ) : (
            <ModelSteps
              models={models}
              text={t('welcome.local.what')}
              size="lg"
              isMain={isMain}
              meanwhile={
                <Button
                  variant={variant}
                  size="lg"
                  iconAfter={ArrowRight}
                  isLoading={isStarting}
                  onPress={() => onOpen()}
                >
                  {t('welcome.openStudio')}
                </Button>
              }
              onBegin={onAway}
            />
          )}
        </div>
      )}
    </section>
  );
}
