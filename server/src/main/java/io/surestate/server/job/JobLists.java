package io.surestate.server.job;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobFilter;
import io.surestate.api.v1.ListJobEventsResponse;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.PageInfo;
import io.surestate.server.api.PageFill;
import io.surestate.server.api.Pages;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;

/**
 * Pages of jobs and of their history. Keys of job pages are {@code L<uid>} while live jobs are shown, oldest first, then {@code F<uid>}
 * for finished ones, newest first.
 */
final class JobLists {
    private static final String LIVE = "L";
    private static final String FINISHED = "F";
    /** History rows looked at for one page; a filter that lets little through gets short pages instead of long waits. */
    private static final int HISTORY_ROWS_MAX = 20_000;

    private final Pages pages;

    JobLists(Pages pages) {
        this.pages = pages;
    }

    ListJobsResponse jobs(JobFilter filter, boolean includeFinished, Pages.Start start) {
        ListJobsResponse.Builder reply =
                ListJobsResponse.newBuilder().setRevision(start.view().revision());
        PageFill fill = new PageFill(start);
        if (!start.afterKey().startsWith(FINISHED) && !addLive(reply, fill, filter, start)) {
            return reply.build();
        }
        if (includeFinished) {
            addFinished(reply, fill, filter, start);
        }
        return reply.build();
    }

    /** False = the page is full. */
    private boolean addLive(ListJobsResponse.Builder reply, PageFill fill, JobFilter filter, Pages.Start start) {
        String after = start.afterKey().isEmpty() ? "" : start.afterKey().substring(LIVE.length());
        String last = after;
        for (JobEntry entry : start.view().state().jobsAfter(after)) {
            if (!passes(filter, entry.job())) {
                continue;
            }
            if (fill.full()) {
                reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, LIVE + last)));
                return false;
            }
            reply.addJobs(entry.job());
            fill.add(entry.job());
            last = entry.job().getUid();
        }
        return true;
    }

    private void addFinished(ListJobsResponse.Builder reply, PageFill fill, JobFilter filter, Pages.Start start) {
        String before = start.afterKey().startsWith(FINISHED) ? start.afterKey().substring(FINISHED.length()) : "";
        int looked = 0;
        while (looked < HISTORY_ROWS_MAX) {
            List<Job> older = start.view().history().jobsBefore(before, start.size() + 1);
            if (older.isEmpty()) {
                return;
            }
            for (Job job : older) {
                if (passes(filter, job)) {
                    if (fill.full()) {
                        reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, FINISHED + before)));
                        return;
                    }
                    reply.addJobs(job);
                    fill.add(job);
                }
                before = job.getUid();
            }
            looked += older.size();
        }
        reply.setPage(PageInfo.newBuilder().setNextPageToken(pages.next(start, FINISHED + before)));
    }

    ListJobEventsResponse events(String tenant, String nameOrUid, Pages.Start start) {
        // The first page turns a name into a uid; later pages stay with that job even if the name was given away.
        boolean first = start.afterKey().isEmpty();
        String[] key = start.afterKey().split(":", 2);
        String uid =
                first ? JobLookup.find(start.view(), tenant, nameOrUid).job().getUid() : key[0];
        int from = first ? 0 : Integer.parseInt(key[1]);
        List<JobEvent> events = start.view().history().events(uid, from, start.size() + 1);
        ListJobEventsResponse.Builder reply =
                ListJobEventsResponse.newBuilder().setRevision(start.view().revision());
        if (events.size() > start.size()) {
            String next = pages.next(start, uid + ":" + (from + start.size()));
            reply.setPage(PageInfo.newBuilder().setNextPageToken(next));
            events = events.subList(0, start.size());
        }
        return reply.addAllEvents(events).build();
    }

    private static boolean passes(JobFilter filter, Job job) {
        return (filter.getTenant().isEmpty() || filter.getTenant().equals(job.getTenant()))
                && job.getName().startsWith(filter.getNamePrefix())
                && (filter.getPhasesCount() == 0
                        || filter.getPhasesList().contains(job.getStatus().getPhase()));
    }
}
