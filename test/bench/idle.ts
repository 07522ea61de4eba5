import { allResources } from '../infra/gate/full.ts';
import { type Json, synthesize } from '../infra/stack.ts';
import { price } from './prices.ts';

const ALARM = 'AWS::CloudWatch::Alarm';

interface Priced {
  readonly name: string;
  readonly count: number;
  readonly dollars: number;
}

/** An alarm costs as much for each metric that it combines. */
export const metricsOf = ({ Metrics }: Json): number =>
  Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }: Json) => MetricStat !== undefined).length;

/** What a month of a deployment costs without a call, without free tiers and without its jobs, by what costs it. */
export const pricedResources = (settings: Json): Priced[] => {
  const stack = synthesize(settings);
  const all = Object.values(allResources(stack));
  const metrics = all
    .filter(({ Type }) => Type === ALARM)
    .reduce((sum, { Properties }) => sum + metricsOf(Properties), 0);
  const keys = all.filter(({ Type }) => Type === 'AWS::KMS::Key').length;
  // A dashboard is one of the three of an account that are free of charge.
  return [
    { name: 'metrics of alarms', count: metrics, dollars: metrics * price('alarmMetricMonth') },
    { name: 'KMS Key', count: keys, dollars: keys * price('kmsKeyMonth') },
  ];
};
