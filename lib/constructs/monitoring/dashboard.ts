import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Operation } from '../functions/operation.ts';
import type { Table } from '../table.ts';
import type { AlarmsProps } from './alarms.ts';
import { accessEntriesLost, accountThrottles, ageOf, refusedCalls } from './metrics.ts';

const { SUM, p } = cloudwatch.Stats;

export interface DashboardProps extends Pick<AlarmsProps, 'stage' | 'api'> {
  readonly name: string;
  /** Operations that the table's stream invokes. */
  readonly consumers: readonly Operation[];
  readonly table: Table;
  /** Endpoints for applications. */
  readonly reads: readonly Operation[];
  readonly alarms: readonly cloudwatch.IAlarm[];
}

/**
 * One page of what applications notice: alarms first, then the API, its functions and the table. At most 50 metrics: a
 * dashboard with more is not one of the three that are free of charge.
 */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    const { name, stage, api, consumers, reads, alarms } = props;
    const table = props.table.resource;
    const functions = reads.map((operation) => operation.function);
    new cloudwatch.Dashboard(this, 'Resource', {
      dashboardName: name,
      widgets: [
        [new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24, height: 3 })],
        [
          graph('Requests', [
            api.resource.metricCount({ statistic: SUM }),
            api.resource.metricClientError({ statistic: SUM }),
            api.resource.metricServerError({ statistic: SUM }),
          ]),
          graph(
            'Latency of the API, ms',
            [50, 99].map((n) => api.resource.metricLatency({ statistic: p(n) })),
          ),
          graph('Refused calls', [refusedCalls(stage, '401'), refusedCalls(stage, '403')]),
        ],
        [
          graph(
            'Duration of functions, ms (p99)',
            functions.map((fn) => fn.metricDuration({ statistic: p(99) })),
          ),
          graph(
            'Failed invocations',
            functions.map((fn) => fn.metricErrors()),
          ),
          graph('Throttled invocations, and access entries lost', [
            accountThrottles(),
            accessEntriesLost(stage),
          ]),
        ],
        [
          graph('Consumed capacity units', [
            table.metricConsumedReadCapacityUnits(),
            table.metricConsumedWriteCapacityUnits(),
          ]),
          graph(
            'Throttled reads and writes',
            ['ReadThrottleEvents', 'WriteThrottleEvents'].map((event) =>
              table.metric(event, { dimensionsMap: { TableName: table.tableName }, statistic: SUM }),
            ),
          ),
          graph('Consumers behind the stream, ms', consumers.map(ageOf)),
        ],
      ],
    });
  }
}

const graph = (title: string, left: cloudwatch.IMetric[]): cloudwatch.GraphWidget =>
  new cloudwatch.GraphWidget({ title, left, width: 8, height: 6 });
