import { Text } from '@mantine/core';
import { Sparkline } from '../../components/charts/sparkline.tsx';
import { counted } from '../../components/count.ts';
import { Panel } from '../../components/layout/panel.tsx';
import { PromptLink, ReviewRow } from '../../components/layout/review-panel.tsx';
import { TextLink } from '../../components/link.tsx';
import { inDigits } from '../../components/locale.ts';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

/** The most fetched prompts, each with its days, which show the trend. */
export const MostFetched = ({ topPrompts, fetches }: Pick<Overview, 'topPrompts' | 'fetches'>) => {
  const [{ day: from = '' } = {}] = fetches;
  return (
    <Panel
      title="Most fetched prompts"
      nothing={topPrompts.length === 0 && 'No prompt was fetched in this period.'}
    >
      <ol className="cv-list cv-rows">
        {topPrompts.map(({ promptId, name, fetches: sum, perDay }) => (
          <ReviewRow key={promptId} link={<PromptLink {...{ promptId, name }} />}>
            <span className={classes.trend}>
              <Sparkline values={perDay} most={Math.max(...perDay)} label={trendOf(perDay)} />
              <TextLink
                to="/prompts/$promptId/usage"
                params={{ promptId }}
                search={{ from }}
                size="sm"
                aria-label={`${counted(sum, 'fetch', 'fetches')} of ${name}`}
              >
                <Text span inherit className={classes.count}>
                  {inDigits(sum)}
                </Text>
              </TextLink>
            </span>
          </ReviewRow>
        ))}
      </ol>
    </Panel>
  );
};

/** The trend in words. */
const trendOf = (perDay: readonly number[]): string => {
  const half = Math.ceil(perDay.length / 2);
  const [before, since] = [perDay.slice(0, -half), perDay.slice(-half)].map((days) =>
    inDigits(days.reduce((sum, each) => sum + each, 0)),
  );
  return `${since} in the last ${counted(half, 'day')}, ${before} before`;
};
