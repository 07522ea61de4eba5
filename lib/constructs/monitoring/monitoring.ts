import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type CfnElement, NestedStack, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Operation } from '../functions/operation.ts';
import { globalName } from '../shared.ts';
import type { Table } from '../table.ts';
import { Alarms, type AlarmsProps } from './alarms.ts';
import { accessEntriesLost, accountThrottles, ageOf, refusedCalls } from './metrics.ts';
import { Protections, type ProtectionsProps } from './protections.ts';

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
class Dashboard extends Construct {
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

export interface MonitoringProps
  extends AlarmsProps,
    Pick<DashboardProps, 'reads' | 'table' | 'consumers'>,
    Omit<ProtectionsProps, 'table' | 'stackName'> {
  /** Whether alarms are mailed to somebody. Otherwise there are none but that of a gradual deployment, and no dashboard. */
  readonly isMailed: boolean;
}

/**
 * Alarms, what else is reported, and the dashboard, in a nested stack: they would count against the 500 resources of the
 * stack, and nothing that serves calls depends on them.
 */
export class Monitoring extends NestedStack {
  /** The alarm that stops a gradual deployment. */
  readonly serverErrors: cloudwatch.IAlarm;

  constructor(scope: Construct, id: string, { isMailed, ...props }: MonitoringProps) {
    super(scope, id, { description: 'Alarms and the dashboard' });
    (this.nestedStackResource as CfnElement).overrideLogicalId(id);
    const alarms = new Alarms(this, 'Alarms', isMailed, props);
    this.serverErrors = alarms.serverErrors;
    const stackName = Stack.of(scope).stackName;
    new Protections(this, 'Protections', { ...props, table: props.table.resource, stackName });
    if (isMailed) new Dashboard(this, 'Dashboard', { ...props, name: globalName(scope), alarms: alarms.all });
  }
}
