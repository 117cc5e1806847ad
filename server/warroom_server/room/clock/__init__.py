"""Room time: deadlines, time-outs and pauses."""
