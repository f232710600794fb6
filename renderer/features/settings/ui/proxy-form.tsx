import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isPort, readProxyHost } from '../../../../shared/domain/network/proxy.ts';
import { acceptSettings, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { Settings } from '../../../bridge/types.ts';
import { useText } from '../../../lib/text.ts';
import { Field } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import css from './proxy-form.module.css';
import { Hint, SettingRow } from './settings-group.tsx';

type Proxy = Settings['proxy'];
const modes = ['system', 'none', 'manual'] as const;

/** How requests leave this computer. What is written by hand holds when it is whole; until then the last one does. */
export function ProxyForm() {
  const t = useText();
  const studio = useStudio();
  const queries = useQueryClient();
  const { proxy } = useSettings();
  const [isOpen, setIsOpen] = useState(proxy.mode === 'manual');
  const [server, setServer] = useState(proxy.server);
  const [port, setPort] = useState(String(proxy.port));
  const [isJudged, setIsJudged] = useState(false);
  const read = readProxyHost(server);
  const number = read?.port ?? Number(port);
  const isPortGood = /^\d{1,5}$/.test(port.trim()) ? isPort(Number(port)) : read?.port !== null && read !== null;
  const save = async (next: Proxy) => {
    const answer = await studio.request('connection.setProxy', next);
    if (!answer.ok) return;
    acceptSettings(queries, studio, answer.value);
    setServer(answer.value.proxy.server);
    setPort(String(answer.value.proxy.port));
    setIsJudged(false);
  };
  const saveWritten = () => {
    setIsJudged(true);
    if (read !== null && isPortGood) void save({ mode: 'manual', server, port: number });
  };
  const choose = (mode: Proxy['mode']) => {
    setIsOpen(mode === 'manual');
    if (mode !== 'manual') void save({ ...proxy, mode });
    else if (read !== null && isPortGood) void save({ mode, server, port: number });
  };
  const kept = ` ${t('network.proxy.oldKept')}`;
  return (
    <>
      <SettingRow label={t('network.proxy.title')} hint={t('network.proxy.hint')}>
        <Segmented
          label={t('network.proxy.title')}
          options={modes.map((value) => ({ value, text: t(`network.proxy.modes.${value}`) }))}
          value={isOpen ? 'manual' : proxy.mode}
          onChange={choose}
        />
      </SettingRow>
      {isOpen && (
        <>
          <div className={css['fields']}>
            <div className={css['server']}>
              <Field
                label={t('network.proxy.server')}
                placeholder="10.0.0.1"
                value={server}
                onChange={setServer}
                onBlur={saveWritten}
                onEnter={saveWritten}
                error={isJudged && read === null ? t('network.proxy.serverBad') + kept : null}
              />
            </div>
            <div className={css['port']}>
              <Field
                label={t('network.proxy.port')}
                value={port}
                onChange={setPort}
                onBlur={saveWritten}
                onEnter={saveWritten}
                error={isJudged && !isPortGood ? t('network.proxy.portBad') + kept : null}
              />
            </div>
          </div>
          <Hint>{t('network.proxy.password')}</Hint>
        </>
      )}
    </>
  );
}
