import { CircleAlert, CopyCheck, FileX2 } from 'lucide-react';
import { useState } from 'react';
import { useFailureFacts, useFailureWords } from '../../../lib/failure-words.ts';
import { useText } from '../../../lib/text.ts';
import { NoKeyNotice, useLacksKey } from '../../../parts/connection/key-help.tsx';
import { AddingNotice } from '../../../parts/files/adding-notice.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/notices.ts';
import { useIsolate, useIsolateOptions, useIsolateState } from '../isolate-context.ts';
import css from '../isolate-screen.module.css';

/** Up to so many skipped files are named at once; more are those of a folder, and are listed on request. */
const namedSkips = 3;

/** Files being added, files that were skipped with the reasons, and actions that failed. */
export function Notices() {
  const t = useText();
  const copy = useCopy();
  const words = useFailureWords();
  const store = useIsolate();
  const addingCount = useIsolateState((state) => state.addingCount);
  const addingStep = useIsolateState((state) => state.addingStep);
  const stoppedAdding = useIsolateState((state) => state.stoppedAdding);
  const refused = useIsolateState((state) => state.refused);
  const skippedCount = useIsolateState((state) => state.refused.length + state.unnamedCount);
  const failure = useIsolateState((state) => state.failure);
  const repeated = useIsolateState((state) => state.repeated);
  const options = useIsolateOptions();
  const factsOf = useFailureFacts();
  const lacksKey = useLacksKey();
  const [listsSkipped, setListsSkipped] = useState(false);
  const copyDetails = async () => {
    if (failure === null) return;
    await copy(
      factsOf(failure)
        .map(({ label, value }) => `${label}: ${value}`)
        .join('\n'),
    );
  };
  return (
    <>
      {lacksKey && <NoKeyNotice />}
      <AddingNotice
        count={addingCount}
        step={addingStep}
        stopped={stoppedAdding}
        onStop={() => void store.stopAdding()}
        onHideStopped={store.hideStopped}
      />
      {failure && (
        <Banner
          role="alert"
          tone="bad"
          icon={CircleAlert}
          title={t('isolate.notAdded')}
          actions={
            <Button size="sm" onPress={() => void copyDetails()}>
              {t('common.failure.copyDetails')}
            </Button>
          }
          onDismiss={store.hideFailure}
          dismissLabel={t('common.dismiss')}
        >
          {words(failure).text}
        </Banner>
      )}
      {repeated && (
        <Banner
          icon={CopyCheck}
          title={t('transcribe.repeated', { count: repeated.count })}
          onDismiss={store.hideRepeated}
          dismissLabel={t('common.dismiss')}
          actions={
            <Button size="sm" onPress={() => void store.addRepeated(options)}>
              {t('transcribe.addRepeated')}
            </Button>
          }
        >
          {repeated.count === 1 ? repeated.files[0]?.name : t('transcribe.repeatedText')}
        </Banner>
      )}
      {skippedCount > 0 && (
        <Banner
          role="alert"
          tone="warn"
          icon={FileX2}
          title={t('isolate.skipped', { count: skippedCount })}
          onDismiss={() => {
            setListsSkipped(false);
            store.hideAllRefused();
          }}
          dismissLabel={t('common.dismiss')}
          actions={
            skippedCount > namedSkips && (
              <Button size="sm" variant="ghost" onPress={() => setListsSkipped(!listsSkipped)}>
                {t(listsSkipped ? 'transcribe.refused.hideList' : 'transcribe.refused.show')}
              </Button>
            )
          }
        >
          {(listsSkipped || skippedCount <= namedSkips) && (
            <ul className={css['skipped']}>
              {refused.slice(0, 50).map(({ key, name, failure: reason }) => (
                <li key={key}>
                  {words(reason).text.includes(name) ? (
                    words(reason).text
                  ) : (
                    <>
                      <b>{name}</b> {words(reason).text}
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Banner>
      )}
    </>
  );
}
