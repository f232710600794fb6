import { KeyRound, MessageSquareQuote, UserRoundCheck, UsersRound, WandSparkles } from 'lucide-react';
import { useLocation } from 'wouter';
import { useConnection } from '../../bridge/live-state.tsx';
import { useText } from '../../lib/text.ts';
import { UseService } from '../../parts/connection/connection-form.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel, PanelContent, PanelTitle } from '../../ui/panel.tsx';
import css from './more-screen.module.css';

const additions = [
  { name: 'speakers', text: 'speakersText', icon: UsersRound },
  { name: 'ask', text: 'askText', icon: MessageSquareQuote },
  { name: 'voices', text: 'voicesText', icon: UserRoundCheck },
  { name: 'rewrite', text: 'rewriteText', icon: WandSparkles },
] as const;

export function MoreScreen() {
  const t = useText();
  const [, navigate] = useLocation();
  const { serviceAddress, key } = useConnection();
  return (
    <Panel header={<PanelTitle>{t('shell.more.title')}</PanelTitle>}>
      <PanelContent label={t('shell.more.adds')}>
        <div className={css['scroll']}>
          <div className={css['page']}>
            <p className={css['text']}>{t('shell.more.text')}</p>
            <ul className="column gap-14" aria-label={t('shell.more.adds')}>
              {additions.map(({ name, text, icon: Icon }) => (
                <li key={name} className={css['addition']}>
                  <Icon aria-hidden size={18} strokeWidth={1.75} />
                  <div>
                    <b>{t(`shell.more.${name}`)}</b>
                    <p className={css['text']}>{t(`shell.more.${text}`)}</p>
                  </div>
                </li>
              ))}
            </ul>
            {serviceAddress !== '' && key.present ? (
              <UseService />
            ) : (
              <div>
                <Button
                  variant="primary"
                  size="lg"
                  icon={KeyRound}
                  onPress={() => navigate('/settings/connection/service')}
                >
                  {t('shell.more.connect')}
                </Button>
              </div>
            )}
            <p className={css['text']}>{t('shell.more.prices')}</p>
          </div>
        </div>
      </PanelContent>
    </Panel>
  );
}
