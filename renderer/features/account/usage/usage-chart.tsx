import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef, useState } from 'react';
import { dayToShow, type UsageReport } from '../../../../shared/domain/account/usage-report.ts';
import { Scope } from '../../../lib/scope.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { useProductName } from './usage-tables.tsx';
import css from './usage.module.css';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Resolved by the browser, because a canvas does not support `light-dark()`. */
const colourOf = (element: Element | null | undefined): string =>
  element ? getComputedStyle(element).backgroundColor : '#00716e';

/** Counts changes of the theme, by the app or by the system. */
function useThemeCount(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = () => {
      setCount((before) => before + 1);
    };
    const scope = new Scope();
    scope.listen(matchMedia('(prefers-color-scheme: dark)'), 'change', changed);
    const watch = new MutationObserver(changed);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-contrast'] });
    return () => {
      watch.disconnect();
      scope.dispose();
    };
  }, []);
  return count;
}

/** Credits per day as bars, coloured by feature where known. The tables contain the same for screen readers. */
export function UsageChart({ report }: { readonly report: UsageReport }) {
  const t = useText();
  const formats = useFormats();
  const nameOf = useProductName();
  const canvas = useRef<HTMLCanvasElement>(null);
  const figure = useRef<HTMLElement>(null);
  const themeCount = useThemeCount();
  const { days, products } = report;
  const isByProduct = days.some((day) => day.products.length > 0);
  const shown = isByProduct ? products.map(({ product }) => product) : [];
  const highest = days.reduce((most, day) => (day.credits > most.credits ? day : most), days[0] ?? emptyDay);

  useEffect(() => {
    if (canvas.current === null || figure.current === null) return undefined;
    const swatches = [...figure.current.querySelectorAll('[data-swatch]')];
    const style = getComputedStyle(figure.current);
    const tipStyle = getComputedStyle(figure.current.querySelector('[data-tip]') ?? figure.current);
    const line = style.borderTopColor;
    const common = { borderRadius: 2, borderSkipped: false as const, maxBarThickness: 28, categoryPercentage: 0.78 };
    const datasets = isByProduct
      ? shown.map((product, at) => ({
          ...common,
          label: nameOf(product),
          data: days.map((day) => day.products.find((one) => one.product === product)?.credits ?? 0),
          backgroundColor: colourOf(swatches[at]),
        }))
      : [
          {
            ...common,
            label: t('account.credits'),
            data: days.map(({ credits }) => credits),
            backgroundColor: colourOf(swatches[0]),
          },
        ];
    const font = { family: style.fontFamily, size: 11 };
    const chart = new Chart(canvas.current, {
      type: 'bar',
      data: { labels: days.map(({ fromMs }) => formats.day(dayToShow(report, fromMs))), datasets },
      options: {
        animation: false,
        maintainAspectRatio: false,
        interaction: { mode: 'index', intersect: false },
        plugins: {
          tooltip: {
            backgroundColor: tipStyle.backgroundColor,
            titleColor: tipStyle.color,
            bodyColor: tipStyle.color,
            titleFont: { ...font, weight: 'bold' },
            bodyFont: font,
            padding: 8,
            cornerRadius: 6,
            boxPadding: 4,
            filter: ({ parsed }) => parsed.y !== 0,
            callbacks: { label: ({ dataset, parsed }) => `${dataset.label ?? ''}: ${formats.number(parsed.y ?? 0)}` },
          },
        },
        scales: {
          x: {
            stacked: true,
            grid: { display: false },
            border: { display: false },
            ticks: { color: style.color, font, maxRotation: 0, autoSkip: true, autoSkipPadding: 48 },
          },
          y: {
            stacked: true,
            beginAtZero: true,
            border: { display: false, dash: [3, 3] },
            grid: { color: line, drawTicks: false },
            ticks: {
              color: style.color,
              font,
              maxTicksLimit: 5,
              padding: 8,
              callback: (value) => formats.number(Number(value)),
            },
          },
        },
      },
    });
    return () => {
      chart.destroy();
    };
    // The words and formats change with the language, and the component is drawn again then.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- functions of the language are new with each draw
  }, [report, isByProduct, themeCount, t]);

  return (
    <figure ref={figure} className={css['chart']}>
      <figcaption>
        <b>{t('account.creditsPerDay')}</b>
        <ul className={css['legend']}>
          {isByProduct ? (
            shown.map((product, at) => (
              <li key={product}>
                <i aria-hidden data-swatch className={css[`c${String(at % 6)}`]} />
                {nameOf(product)}
              </li>
            ))
          ) : (
            <li>
              <i aria-hidden data-swatch className={css['c0']} />
              {t('account.credits')}
            </li>
          )}
        </ul>
      </figcaption>
      <span aria-hidden hidden data-tip className={css['tip']} />
      <div className={css['canvas']}>
        <canvas
          ref={canvas}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- what is drawn here is no file
          role="img"
          aria-label={t('account.chartLabel', {
            from: formats.date(dayToShow(report, days[0]?.fromMs ?? 0)),
            to: formats.date(dayToShow(report, days.at(-1)?.fromMs ?? 0)),
            most: formats.number(highest.credits),
            day: formats.date(dayToShow(report, highest.fromMs)),
          })}
        />
      </div>
    </figure>
  );
}

const emptyDay = { fromMs: 0, credits: 0, requests: 0, products: [] };
