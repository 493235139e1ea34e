// The calls of the clients of AWS.
import { CloudTrailClient, paginateLookupEvents } from '@aws-sdk/client-cloudtrail';
import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { ConfigServiceClient, paginateSelectResourceConfig } from '@aws-sdk/client-config-service';
import { EC2Client, paginateDescribeFlowLogs } from '@aws-sdk/client-ec2';
import {
  GetFindingsCommand as GetThreatsCommand,
  GuardDutyClient,
  ListDetectorsCommand,
  ListFindingsCommand,
} from '@aws-sdk/client-guardduty';
import { GetFindingsCommand, SecurityHubClient } from '@aws-sdk/client-securityhub';
import { all } from './pages.mjs';

const optionsOf = (endpoint, { accessKeyId, secretAccessKey }) => ({
  endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId, secretAccessKey },
});

export const awsCalls = {
  async cloudsecurity_aws_mock({ url, credentials: { aws } }) {
    const options = optionsOf(url, aws);
    const hub = new SecurityHubClient(options);
    const findings = [];
    let NextToken;
    do {
      const page = await hub.send(new GetFindingsCommand({ MaxResults: 3, NextToken }));
      findings.push(...page.Findings);
      ({ NextToken } = page);
    } while (NextToken);
    const guard = new GuardDutyClient(options);
    const { DetectorIds } = await guard.send(new ListDetectorsCommand({}));
    const threats = [];
    for (const DetectorId of DetectorIds) {
      const { FindingIds } = await guard.send(new ListFindingsCommand({ DetectorId }));
      const { Findings } = await guard.send(new GetThreatsCommand({ DetectorId, FindingIds }));
      threats.push(...Findings);
    }
    const config = new ConfigServiceClient(options);
    const resources = await all(
      paginateSelectResourceConfig(
        { client: config, pageSize: 5 },
        { Expression: 'SELECT arn, resourceId, resourceType' },
      ),
      ({ Results }) => Results,
    );
    const trail = new CloudTrailClient(options);
    const trails = await all(
      paginateLookupEvents({ client: trail, pageSize: 3 }, {}),
      ({ Events }) => Events,
    );
    return [
      {
        operation: 'cloudsecurity_query_ioms',
        read: findings
          .filter(({ Compliance }) => Compliance?.Status === 'FAILED')
          .map(({ Title }) => [Title]),
      },
      { operation: 'cloudsecurity_query_threats', read: threats.map(({ Title }) => [Title]) },
      {
        operation: 'cloudsecurity_query_cloud_resource_inventory',
        read: resources.map((one) => [JSON.parse(one).arn]),
      },
      {
        operation: 'cloudsecurity_query_events',
        read: trails.map(({ EventId, EventName }) => [EventId, EventName]),
      },
    ];
  },

  async networksecurity_aws_mock({ url, credentials: { aws } }) {
    const options = optionsOf(url, aws);
    const ec2 = new EC2Client(options);
    const flowLogs = await all(
      paginateDescribeFlowLogs({ client: ec2, pageSize: 5 }, {}),
      ({ FlowLogs }) => FlowLogs,
    );
    const logs = new CloudWatchLogsClient(options);
    const events = [];
    let nextToken;
    do {
      const command = new FilterLogEventsCommand({
        logGroupName: '/vpc/vpc',
        limit: 20,
        nextToken,
      });
      const page = await logs.send(command);
      events.push(...page.events);
      ({ nextToken } = page);
    } while (nextToken);
    return [
      {
        operation: 'networksecurity_query_traffic_log_configurations',
        read: flowLogs.map(({ FlowLogId, ResourceId }) => [FlowLogId, ResourceId]),
      },
      {
        operation: 'networksecurity_query_traffic_events',
        filter: 'metadata.log_name[eq]/vpc/vpc',
        // Lines without traffic are not events of ours.
        read: events
          .filter(({ message }) => !message.endsWith('NODATA'))
          // Addresses and ports, because ids follow from the time.
          .map(({ message }) => message.split(' ').slice(3, 7)),
      },
    ];
  },
};
