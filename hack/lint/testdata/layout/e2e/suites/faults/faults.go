package faults
