import type { ReactNode } from 'react';
import { counted } from '../../components/count.ts';
import { Panel } from '../../components/layout/panel.tsx';
import listed from '../../components/layout/review-panel.module.css';
import { TextLink } from '../../components/link.tsx';
import { inDigits } from '../../components/locale.ts';
import classes from './overview.module.css';
import type { Overview } from './overview-queries.ts';

interface Since {
  /** The first day that is counted, in UTC. */
  readonly since: string;
}

export const MostFetchedPrompts = ({ prompts, since }: Since & { prompts: Overview['topPrompts'] }) => (
  <Ranking title="Most fetched prompts" rows={prompts} since={since}>
    {({ promptId, name }) => (
      <TextLink to="/prompts/$promptId/usage" params={{ promptId }} size="sm">
        {name}
      </TextLink>
    )}
  </Ranking>
);

export const MostFetchedVersions = ({ versions, since }: Since & { versions: Overview['topVersions'] }) => (
  <Ranking title="Most fetched versions" rows={versions} since={since}>
    {({ promptId, name, version }) => (
      <TextLink to="/prompts/$promptId" params={{ promptId }} search={{ version }} size="sm">
        {name} <span className="cv-mono">{version}</span>
      </TextLink>
    )}
  </Ranking>
);

interface Ranked {
  readonly promptId: string;
  readonly name: string;
  readonly version?: string;
  readonly fetches: number;
}

interface RankingProps<Row> extends Since {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly children: (row: Row) => ReactNode;
}

const Ranking = <Row extends Ranked>({ title, rows, since, children }: RankingProps<Row>) => {
  const most = Math.max(1, ...rows.map(({ fetches }) => fetches));
  return (
    <Panel title={title} nothing={rows.length === 0 && 'No prompt was fetched in this period.'}>
      <ol className="cv-list cv-rows">
        {rows.map((row) => (
          <li key={row.promptId + (row.version ?? '')} className={listed.row}>
            <span className={listed.name}>{children(row)}</span>
            <span className={classes.share} aria-hidden="true">
              <span className={classes.bar} style={{ width: `${(row.fetches / most) * 100}%` }} />
            </span>
            <span className={classes.count}>
              <TextLink
                to="/prompts/$promptId/usage"
                params={{ promptId: row.promptId }}
                search={{ from: since, ...(row.version !== undefined && { version: row.version }) }}
                size="sm"
                aria-label={`${counted(row.fetches, 'fetch', 'fetches')} of ${[row.name, row.version].join(' ').trim()}`}
              >
                {inDigits(row.fetches)}
              </TextLink>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
};
