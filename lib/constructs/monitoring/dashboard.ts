import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { Operation } from '../functions/operation.ts';
import type { AlarmsProps } from './alarms.ts';
import { accessEntriesLost, refusedCalls, tableFaults } from './metrics.ts';

const { SUM, p } = cloudwatch.Stats;

export interface DashboardProps extends Pick<AlarmsProps, 'stage' | 'api' | 'table'> {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly alarms: readonly cloudwatch.IAlarm[];
}

/** One page of the whole service: alarms first, then the API, the functions and the table. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, { name, stage, api, table, operations, alarms }: DashboardProps) {
    super(scope, id);
    const functions = operations.map((operation) => operation.function);
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
          graph('Access entries lost', [accessEntriesLost(stage)]),
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
          graph(
            'Throttled invocations',
            functions.map((fn) => fn.metricThrottles()),
          ),
        ],
        [
          graph('Consumed capacity units', [
            table.resource.metricConsumedReadCapacityUnits(),
            table.resource.metricConsumedWriteCapacityUnits(),
          ]),
          graph('DynamoDB system errors', [tableFaults(table)]),
          graph('Refused calls', [refusedCalls(stage, '401'), refusedCalls(stage, '403')]),
        ],
      ],
    });
  }
}

const graph = (title: string, left: cloudwatch.IMetric[]): cloudwatch.GraphWidget =>
  new cloudwatch.GraphWidget({ title, left, width: 8, height: 6 });
